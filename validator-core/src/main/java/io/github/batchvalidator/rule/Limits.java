// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Upper bounds on the cost of one batch. The default is {@link #GENEROUS}.
 *
 * <p>Start from a preset and change single limits:
 *
 * <pre>{@code
 * Limits limits = Limits.BROKER_DEFAULT.with(Limit.RATIO, 1000);
 * }</pre>
 *
 * <p>Plain bytes are counted while they are read. The first byte beyond a limit ends the walk; a
 * codec has then decoded at most one window, or one block, too much. Declared numbers are compared
 * before anything is sized by them: {@link #records}, {@link #headers}, {@link #recordBytes}, and
 * for {@link #codecMemoryBytes} the window of a zstd frame and the block size of an lz4 frame.
 *
 * <p>Immutable and safe for use by multiple threads.
 */
public final class Limits {
  /**
   * No bound, for {@link #ratio}, {@link #records}, {@link #recordBytes}, {@link #headers} and
   * {@link #headerBytes}. A record may then declare any size, also a negative one, as in Kafka
   * before 4.4.
   */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** The largest bound on the size of a record, in bytes, and the default of Kafka 4.4. */
  public static final int LARGEST_RECORD_BYTES = Integer.MAX_VALUE - 8;

  /**
   * The plain bytes that a batch may have whatever its {@link #ratio}: 1 MiB. Small batches of
   * repetitive records compress to nearly nothing, and Kafka's default {@code max.message.bytes}
   * lets a producer send as much uncompressed.
   */
  public static final int RATIO_FLOOR_BYTES = 1 << 20;

  /**
   * Bounded memory and unbounded work: the behavior of Kafka without its allocation by declared
   * sizes. The memory of a codec and the size of a rebuilt batch are bounded by 128 MiB each.
   */
  public static final Limits UNBOUNDED_AS_KAFKA = new Limits();

  /**
   * Bounded memory and {@code plainBytes} of 2 GiB minus one byte, the largest {@code int}. No
   * producer reaches this bound: an uncompressed batch cannot be larger, and Kafka's own writer
   * counts the plain bytes of a batch in an {@code int}. It also bounds the other numbers: such a
   * batch has at most 306,783,378 records or 1,073,741,823 headers. {@code
   * docs/decisions/022-default-limits.md} explains why they have no bounds of their own.
   */
  public static final Limits GENEROUS =
      UNBOUNDED_AS_KAFKA.with(Limit.PLAIN_BYTES, Integer.MAX_VALUE);

  /**
   * Bounded memory and bounded work, for a broker with unknown clients. No producer reaches these
   * bounds with its default configuration. {@code docs/decisions/010-limits.md} explains each
   * number.
   *
   * <ul>
   *   <li>{@code plainBytes} 128 MiB: 128 times Kafka's default {@code max.message.bytes}
   *   <li>{@code ratio} 256: lz4 and Snappy streams stay below it; gzip and zstd streams reach it
   *       only with nearly identical records and more than 1 MiB
   *   <li>{@code records} 1,048,576: 1 MiB of plain bytes holds at most 150,000
   *   <li>{@code recordBytes} 32 MiB: the {@code buffer.memory} of a Java producer, and thus its
   *       largest record
   *   <li>{@code headers} 1,024 and {@code headerBytes} 256 KiB: more than ten times what web
   *       servers accept
   *   <li>{@code codecMemoryBytes} 8 MiB: the window that RFC 8878 asks a zstd reader to support;
   *       enough for levels up to 19, every lz4 block and 8 MiB in a Snappy block
   *   <li>{@code rebuiltBytes} 128 MiB, as without limits
   * </ul>
   */
  public static final Limits BROKER_DEFAULT =
      UNBOUNDED_AS_KAFKA
          .with(Limit.PLAIN_BYTES, 1 << 27)
          .with(Limit.RATIO, 256)
          .with(Limit.RECORDS, 1 << 20)
          .with(Limit.RECORD_BYTES, 1 << 25)
          .with(Limit.HEADERS, 1 << 10)
          .with(Limit.HEADER_BYTES, 1 << 18)
          .with(Limit.CODEC_MEMORY_BYTES, 1 << 23);

  /** The names that {@link #preset} accepts. */
  public static final List<String> PRESETS =
      List.of("unbounded-as-kafka", "generous", "broker-default");

  /** The names that {@link #preset} accepts, for messages. */
  public static final String PRESET_NAMES = "unbounded-as-kafka, generous or broker-default";

  private final long plainBytes;
  private final int ratio;
  private final int records;
  private final int recordBytes;
  private final int headers;
  private final int headerBytes;
  private final int codecMemoryBytes;
  private final int rebuiltBytes;

  private Limits() {
    plainBytes = Long.MAX_VALUE;
    ratio = UNLIMITED;
    records = UNLIMITED;
    recordBytes = UNLIMITED;
    headers = UNLIMITED;
    headerBytes = UNLIMITED;
    codecMemoryBytes = 1 << 27;
    rebuiltBytes = 1 << 27;
  }

  private Limits(Limits from, Limit which, long value) {
    int small = (int) value;
    plainBytes = which == Limit.PLAIN_BYTES ? value : from.plainBytes;
    ratio = which == Limit.RATIO ? small : from.ratio;
    records = which == Limit.RECORDS ? small : from.records;
    recordBytes = which == Limit.RECORD_BYTES ? small : from.recordBytes;
    headers = which == Limit.HEADERS ? small : from.headers;
    headerBytes = which == Limit.HEADER_BYTES ? small : from.headerBytes;
    codecMemoryBytes = which == Limit.CODEC_MEMORY_BYTES ? small : from.codecMemoryBytes;
    rebuiltBytes = which == Limit.REBUILT_BYTES ? small : from.rebuiltBytes;
  }

  /**
   * {@return the preset with a name, or null if the name is unknown}
   *
   * @param name one of {@link #PRESETS}
   */
  public static @Nullable Limits preset(String name) {
    return switch (name) {
      case "unbounded-as-kafka" -> UNBOUNDED_AS_KAFKA;
      case "generous" -> GENEROUS;
      case "broker-default" -> BROKER_DEFAULT;
      default -> null;
    };
  }

  /**
   * {@return the value of a limit}
   *
   * @param which the limit
   */
  public long get(Limit which) {
    return switch (which) {
      case PLAIN_BYTES -> plainBytes;
      case RATIO -> ratio;
      case RECORDS -> records;
      case RECORD_BYTES -> recordBytes;
      case HEADERS -> headers;
      case HEADER_BYTES -> headerBytes;
      case CODEC_MEMORY_BYTES -> codecMemoryBytes;
      case REBUILT_BYTES -> rebuiltBytes;
    };
  }

  /**
   * {@return these limits with another value of one limit}
   *
   * @param which the limit to change
   * @param value the new value; {@link Limit#legalValues()} states the range
   * @throws IllegalArgumentException if the value is out of range
   */
  public Limits with(Limit which, long value) {
    if (!which.isLegal(value)) {
      throw new IllegalArgumentException(
          which.label() + " is " + value + ", legal is " + which.legalValues());
    }
    return new Limits(this, which, value);
  }

  /** {@return the value of {@link Limit#PLAIN_BYTES}} */
  public long plainBytes() {
    return plainBytes;
  }

  /** {@return the value of {@link Limit#RATIO}} */
  public int ratio() {
    return ratio;
  }

  /**
   * {@return how many plain bytes {@link #ratio()} allows for a compressed payload}
   *
   * @param payloadBytes the size of the payload without the batch header, in bytes
   */
  public long ratioBytes(int payloadBytes) {
    return ratio == UNLIMITED
        ? Long.MAX_VALUE
        : Math.max(RATIO_FLOOR_BYTES, (long) ratio * payloadBytes);
  }

  /** {@return the value of {@link Limit#RECORDS}} */
  public int records() {
    return records;
  }

  /** {@return the value of {@link Limit#RECORD_BYTES}} */
  public int recordBytes() {
    return recordBytes;
  }

  /** {@return the value of {@link Limit#HEADERS}} */
  public int headers() {
    return headers;
  }

  /** {@return the value of {@link Limit#HEADER_BYTES}} */
  public int headerBytes() {
    return headerBytes;
  }

  /** {@return the value of {@link Limit#CODEC_MEMORY_BYTES}} */
  public int codecMemoryBytes() {
    return codecMemoryBytes;
  }

  /** {@return the value of {@link Limit#REBUILT_BYTES}} */
  public int rebuiltBytes() {
    return rebuiltBytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this
        || (other instanceof Limits limits
            && plainBytes == limits.plainBytes
            && ratio == limits.ratio
            && records == limits.records
            && recordBytes == limits.recordBytes
            && headers == limits.headers
            && headerBytes == limits.headerBytes
            && codecMemoryBytes == limits.codecMemoryBytes
            && rebuiltBytes == limits.rebuiltBytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        plainBytes,
        ratio,
        records,
        recordBytes,
        headers,
        headerBytes,
        codecMemoryBytes,
        rebuiltBytes);
  }

  /** {@return the name of the preset, or the limits that are set, with their names in settings} */
  @Override
  public String toString() {
    for (String name : PRESETS) {
      if (equals(preset(name))) {
        return name;
      }
    }
    StringJoiner text = new StringJoiner(", ", "Limits{", "}");
    for (Limit each : Limit.values()) {
      if (get(each) != UNBOUNDED_AS_KAFKA.get(each) || get(each) < UNLIMITED) {
        text.add(each.label() + "=" + get(each));
      }
    }
    return text.toString();
  }
}
