// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What inflates gzip payloads. Whichever it is, the same is accepted: the JDK's inflater decides
 * whatever another one does not accept. Where a record and the stream are both at fault, which of
 * them is met first may differ ({@code docs/decisions/008-gzip-in-java.md}).
 */
public enum GzipInflater {
  /** {@code java.util.zip.Inflater}, which is zlib. */
  JDK(Integer.MAX_VALUE),

  /** An inflater in plain Java. */
  JAVA(0),

  /**
   * The one that is faster for the size of the payload: {@link #JAVA} from some hundred bytes on,
   * and {@link #JDK} for smaller ones and on a JVM that only interprets.
   */
  AUTO(700);

  private static final String VM_INFO = System.getProperty("java.vm.info", "");

  private final int leastBytes;

  GzipInflater(int leastBytes) {
    this.leastBytes = leastBytes;
  }

  /** {@return from how many stored bytes on a payload is inflated in Java} */
  int leastBytes() {
    return leastBytes(VM_INFO);
  }

  /** As {@link #leastBytes()}, on a JVM that says so of itself. */
  int leastBytes(String vmInfo) {
    return this == AUTO && vmInfo.startsWith("interpreted") ? JDK.leastBytes : leastBytes;
  }

  /**
   * {@return the inflater of a name: {@code jdk}, {@code java} or {@code auto}; null if it is none
   * of them}
   *
   * @param name exactly as above
   */
  public static @Nullable GzipInflater named(String name) {
    for (GzipInflater each : values()) {
      if (each.label().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /** {@return the name by which it is chosen} */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
