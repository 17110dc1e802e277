// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.Objects;

/**
 * How a rebuilt batch is compressed: the topic's {@code compression.type} and level. Immutable,
 * shared freely between threads.
 *
 * @param codec what the records are compressed with
 * @param level how hard, one that the codec {@linkplain Codec#hasLevel has}
 */
public record Target(Codec codec, int level) {

  /**
   * Checks the level.
   *
   * @param codec not null
   * @param level one that the codec has
   */
  public Target {
    Objects.requireNonNull(codec, "codec");
    if (!codec.hasLevel(level)) {
      throw new IllegalArgumentException(codec + " has no level " + level);
    }
  }

  /**
   * {@return a codec at its default level}
   *
   * @param codec what the records are compressed with
   */
  public static Target of(Codec codec) {
    return new Target(codec, codec.defaultLevel());
  }
}
