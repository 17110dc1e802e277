// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What inflates gzip payloads. Whichever it is, the same is accepted: the JDK's inflater decides
 * whatever another one does not accept. Where a record and the stream are both at fault, which of
 * them is met first may differ ({@code docs/decisions/008-gzip-in-java.md}).
 */
public enum GzipInflater {
  /** {@code java.util.zip.Inflater}, which is zlib. */
  JDK,

  /** An inflater in plain Java. */
  JAVA,

  /**
   * The one that is faster for the size of the payload: {@link #JAVA} from some hundred bytes on,
   * and {@link #JDK} for smaller ones and on a JVM that only interprets.
   */
  AUTO;

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
