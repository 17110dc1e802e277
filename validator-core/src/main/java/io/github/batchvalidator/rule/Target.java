// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a topic stores batches: compression, magic and timestamp type. Batches of
 * another form need a rebuild.
 *
 * <pre>{@code
 * Target.PRODUCER                                  // compression.type=producer
 * Target.of(Codec.ZSTD)                            // compression.type=zstd
 * Target.of(Codec.GZIP, 9).withTimestampType(TimestampType.LOG_APPEND_TIME)
 * }</pre>
 *
 * <p>Immutable and safe for use by multiple threads.
 *
 * @param codec the codec of stored batches; null for that of the received batch, as with {@code
 *     compression.type=producer}
 * @param level the compression level of rebuilt batches, which the codec {@linkplain Codec#hasLevel
 *     has}; without meaning if the codec is null, because then the default level applies
 * @param magic the magic of stored batches, 0 to 2
 * @param timestampType the topic's {@code message.timestamp.type}
 */
public record Target(@Nullable Codec codec, int level, byte magic, TimestampType timestampType) {
  private static final byte LARGEST_MAGIC = 2;

  /** The received codec, magic 2 and create time: the defaults of a topic. */
  public static final Target PRODUCER =
      new Target(null, 0, LARGEST_MAGIC, TimestampType.CREATE_TIME);

  /**
   * Checks the values.
   *
   * @param codec as above
   * @param level as above
   * @param magic as above
   * @param timestampType as above
   * @throws IllegalArgumentException if the codec does not have the level, or if the magic is not
   *     0, 1 or 2
   */
  public Target {
    Objects.requireNonNull(timestampType, "timestampType");
    if (codec != null && !codec.hasLevel(level)) {
      throw new IllegalArgumentException(codec + " has no level " + level);
    }
    if (magic < 0 || magic > LARGEST_MAGIC) {
      throw new IllegalArgumentException("magic is not 0, 1 or 2: " + magic);
    }
  }

  /**
   * Returns a target with a codec at its default level, magic 2 and create time.
   *
   * @param codec the codec of stored batches
   * @return the target
   */
  public static Target of(Codec codec) {
    return of(codec, codec.defaultLevel());
  }

  /**
   * Returns a target with a codec, magic 2 and create time.
   *
   * @param codec the codec of stored batches
   * @param level a level of the codec
   * @return the target
   */
  public static Target of(Codec codec, int level) {
    return new Target(Objects.requireNonNull(codec), level, LARGEST_MAGIC, PRODUCER.timestampType);
  }

  /**
   * Returns this target with another magic.
   *
   * @param value 0 to 2; every broker since 4.0 stores 2
   * @return the target
   */
  public Target withMagic(byte value) {
    return new Target(codec, level, value, timestampType);
  }

  /**
   * Returns this target with another timestamp type.
   *
   * @param value the topic's {@code message.timestamp.type}
   * @return the target
   */
  public Target withTimestampType(TimestampType value) {
    return new Target(codec, level, magic, value);
  }
}
