// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What inflates gzip payloads. Whichever it is, the verdict is the same: the JDK's inflater decides
 * whatever another one does not accept ({@code docs/decisions/008-gzip-in-java.md}).
 */
public enum GzipInflater {
  /** {@code java.util.zip.Inflater}, which is zlib. */
  JDK,

  /** An inflater in plain Java. */
  JAVA;

  /** Chooses the fastest of this JVM, wherever a choice is made by name. */
  public static final String AUTO = "auto";

  private static final GzipInflater FASTEST = fastest(System.getProperty("java.vm.info", ""));

  /** {@return the fastest on this JVM: {@link #JAVA} unless it only interprets} */
  public static GzipInflater fastest() {
    return FASTEST;
  }

  static GzipInflater fastest(String vmInfo) {
    return vmInfo.startsWith("interpreted") ? JDK : JAVA;
  }

  /**
   * {@return the inflater of a name: {@code jdk}, {@code java} or {@value #AUTO}; null if it is
   * none of them}
   *
   * @param name exactly as above
   */
  public static @Nullable GzipInflater named(String name) {
    for (GzipInflater each : values()) {
      if (each.label().equals(name)) {
        return each;
      }
    }
    return name.equals(AUTO) ? FASTEST : null;
  }

  /** {@return the name by which it is chosen} */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
