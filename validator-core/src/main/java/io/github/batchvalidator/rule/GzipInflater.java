// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The inflater for gzip payloads. The choice does not change which batches are accepted, because
 * the JDK's inflater has the last word on every stream that the other one rejects. The reported
 * position of a fault may differ. If both a record and the stream are at fault, the reported reason
 * may differ too ({@code docs/decisions/008-gzip-in-java.md}).
 */
public enum GzipInflater {
  /** {@code java.util.zip.Inflater}, which is zlib. */
  JDK,

  /** An inflater in plain Java. */
  JAVA,

  /** The faster inflater: {@link #JDK} on a JVM that only interprets, otherwise {@link #JAVA}. */
  AUTO;

  /**
   * {@return the inflater with a name, or null if the name is unknown}
   *
   * @param name {@code jdk}, {@code java} or {@code auto}
   */
  public static @Nullable GzipInflater named(String name) {
    for (GzipInflater each : values()) {
      if (each.label().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /** {@return the name in settings} */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
