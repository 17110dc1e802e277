// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Upper bounds on what one batch may cost. Plain bytes are counted as they are read, and the first
 * one beyond ends the walk; a codec has decoded at most one window, or one block, more. What a
 * batch declares is refused only where the declared number itself is the cost: {@link #records},
 * {@link #headers}, {@link #recordBytes}, and for {@link #codecMemoryBytes} the window of a zstd
 * frame and the block size of an lz4 frame.
 *
 * <p>Start from a preset and change what differs: {@code Limits.BROKER_DEFAULT.withRatio(1000)}.
 * Immutable, shared freely between threads.
 */
public final class Limits {
  /**
   * As {@link #ratio}, {@link #records}, {@link #recordBytes}, {@link #headers} and {@link
   * #headerBytes}: no bound. A record may then declare any size, a negative one too, as in Kafka
   * before 4.4.
   */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** The largest limit on the size of a record, and the default of Kafka 4.4. */
  public static final int LARGEST_RECORD_BYTES = Integer.MAX_VALUE - 8;

  /**
   * So many plain bytes, 1 MiB, a batch may have whatever its {@link #ratio}: small batches of
   * records that repeat each other shrink to nearly nothing, and it is no more than what a producer
   * may send uncompressed with Kafka's default {@code max.message.bytes}.
   */
  public static final int RATIO_FLOOR_BYTES = 1 << 20;

  /**
   * Bounded memory, unbounded work: what Kafka does, less its allocation by declared sizes. What
   * one codec may hold, and a batch that is written anew, is bounded by 128 MiB.
   */
  public static final Limits UNBOUNDED_AS_KAFKA = preset(false);

  /**
   * Bounded work too, for a broker that serves clients it does not know. No producer meets these
   * bounds by its own defaults; {@code docs/decisions/010-limits.md} tells where each comes from.
   *
   * <ul>
   *   <li>{@code plainBytes} 128 MiB: 128 times Kafka's default {@code max.message.bytes}
   *   <li>{@code ratio} 256: no lz4 or Snappy stream reaches it, gzip and zstd only with records
   *       that repeat each other nearly literally, and then only beyond 1 MiB
   *   <li>{@code records} 1,048,576: 1 MiB of plain bytes holds no more than 150,000
   *   <li>{@code recordBytes} 32 MiB: a Java producer's {@code buffer.memory}, and so its largest
   *       record
   *   <li>{@code headers} 1,024 and {@code headerBytes} 256 KiB: ten times what web servers take,
   *       and more
   *   <li>{@code codecMemoryBytes} 8 MiB: what RFC 8878 asks a reader of zstd to support; enough
   *       for levels up to 19, every lz4 block and 8 MiB in a Snappy block
   *   <li>{@code rebuiltBytes} 128 MiB, as without limits
   * </ul>
   */
  public static final Limits BROKER_DEFAULT = preset(true);

  /** The names that {@link #preset} knows, in words. */
  public static final String PRESET_NAMES = "unbounded-as-kafka or broker-default";

  private final Map<Limit, Long> values;

  // The same once more, to be read once per batch without a look-up.
  private final long plainBytes;
  private final int ratio;
  private final int records;
  private final int recordBytes;
  private final int headers;
  private final int headerBytes;
  private final int codecMemoryBytes;
  private final int rebuiltBytes;

  private Limits(Map<Limit, Long> values) {
    this.values = values;
    plainBytes = get(Limit.PLAIN_BYTES);
    ratio = getInt(Limit.RATIO);
    records = getInt(Limit.RECORDS);
    recordBytes = getInt(Limit.RECORD_BYTES);
    headers = getInt(Limit.HEADERS);
    headerBytes = getInt(Limit.HEADER_BYTES);
    codecMemoryBytes = getInt(Limit.CODEC_MEMORY_BYTES);
    rebuiltBytes = getInt(Limit.REBUILT_BYTES);
  }

  private static Limits preset(boolean bounded) {
    Map<Limit, Long> values = new EnumMap<>(Limit.class);
    for (Limit each : Limit.values()) {
      values.put(each, bounded ? each.brokerDefault() : each.asKafka());
    }
    return new Limits(values);
  }

  /**
   * {@return the preset of a name in settings, or null if there is none}
   *
   * @param name {@code unbounded-as-kafka} or {@code broker-default}
   */
  public static @Nullable Limits preset(String name) {
    return switch (name) {
      case "unbounded-as-kafka" -> UNBOUNDED_AS_KAFKA;
      case "broker-default" -> BROKER_DEFAULT;
      default -> null;
    };
  }

  /**
   * {@return one of these limits}
   *
   * @param which one
   */
  public long get(Limit which) {
    return Objects.requireNonNull(values.get(which));
  }

  /**
   * {@return these limits with another value of one, for settings that are read by name}
   *
   * @param which one
   * @param value as {@link Limit#legalValues()} tells
   * @throws IllegalArgumentException if the limit does not take the value
   */
  public Limits with(Limit which, long value) {
    if (!which.isLegal(value)) {
      throw new IllegalArgumentException(
          which.label() + " is " + value + ", legal is " + which.legalValues());
    }
    Map<Limit, Long> changed = new EnumMap<>(values);
    changed.put(which, value);
    return new Limits(changed);
  }

  private int getInt(Limit which) {
    return (int) get(which);
  }

  /** {@return bytes that a batch may decompress to; {@link Long#MAX_VALUE} is Kafka's behaviour} */
  public long plainBytes() {
    return plainBytes;
  }

  /**
   * {@return the same limits but for {@link #plainBytes()}}
   *
   * @param bytes at least 0
   */
  public Limits withPlainBytes(long bytes) {
    return with(Limit.PLAIN_BYTES, bytes);
  }

  /**
   * {@return bytes that each compressed byte of a batch may decompress to, as far as the batch has
   * more than {@link #RATIO_FLOOR_BYTES} plain bytes; {@link #UNLIMITED} is Kafka's behaviour}
   */
  public int ratio() {
    return ratio;
  }

  /**
   * {@return the same limits but for {@link #ratio()}}
   *
   * @param plainPerCompressed at least 1
   */
  public Limits withRatio(int plainPerCompressed) {
    return with(Limit.RATIO, plainPerCompressed);
  }

  /**
   * {@return how many plain bytes {@link #ratio()} allows for a compressed payload}
   *
   * @param payloadBytes what is stored behind the header, in bytes
   */
  public long ratioBytes(int payloadBytes) {
    return ratio == UNLIMITED
        ? Long.MAX_VALUE
        : Math.max(RATIO_FLOOR_BYTES, (long) ratio * payloadBytes);
  }

  /**
   * {@return records that a batch may declare, and messages that a compressed one of magic 0 or 1
   * may hold; {@link #UNLIMITED} is Kafka's behaviour}
   */
  public int records() {
    return records;
  }

  /**
   * {@return the same limits but for {@link #records()}}
   *
   * @param count at least 1
   */
  public Limits withRecords(int count) {
    return with(Limit.RECORDS, count);
  }

  /**
   * {@return bytes that the body of a record of a compressed batch may declare and may take: the
   * {@code max.decompressed.message.bytes} of Kafka 4.4} {@link #UNLIMITED} is what Kafka did
   * before, {@link #LARGEST_RECORD_BYTES} the default of 4.4.
   */
  public int recordBytes() {
    return recordBytes;
  }

  /**
   * {@return the same limits but for {@link #recordBytes()}}
   *
   * @param bytes 1 to {@link #LARGEST_RECORD_BYTES}, or {@link #UNLIMITED}
   */
  public Limits withRecordBytes(int bytes) {
    return with(Limit.RECORD_BYTES, bytes);
  }

  /** {@return headers that a record may declare; {@link #UNLIMITED} is Kafka's behaviour} */
  public int headers() {
    return headers;
  }

  /**
   * {@return the same limits but for {@link #headers()}}
   *
   * @param count at least 0
   */
  public Limits withHeaders(int count) {
    return with(Limit.HEADERS, count);
  }

  /**
   * {@return bytes that the headers of a record may take, behind their count: keys, values and
   * their lengths; {@link #UNLIMITED} is Kafka's behaviour}
   */
  public int headerBytes() {
    return headerBytes;
  }

  /**
   * {@return the same limits but for {@link #headerBytes()}}
   *
   * @param bytes at least 0
   */
  public Limits withHeaderBytes(int bytes) {
    return with(Limit.HEADER_BYTES, bytes);
  }

  /**
   * {@return bytes that one codec may hold for a window or a block} The most, 128 MiB, is the
   * largest window that Kafka's zstd reader accepts; lz4 blocks end at 4 MiB anyway. A Snappy block
   * above it is refused although Kafka would decode it.
   */
  public int codecMemoryBytes() {
    return codecMemoryBytes;
  }

  /**
   * {@return the same limits but for {@link #codecMemoryBytes()}}
   *
   * @param bytes 64 KiB to 128 MiB
   */
  public Limits withCodecMemoryBytes(int bytes) {
    return with(Limit.CODEC_MEMORY_BYTES, bytes);
  }

  /**
   * {@return bytes that a batch may have that is written anew, and for that a record or message
   * that is read as a whole, and the headers of a record whose keys have to be put right}
   */
  public int rebuiltBytes() {
    return rebuiltBytes;
  }

  /**
   * {@return the same limits but for {@link #rebuiltBytes()}}
   *
   * @param bytes 1 to 2^31 - 9
   */
  public Limits withRebuiltBytes(int bytes) {
    return with(Limit.REBUILT_BYTES, bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof Limits limits && values.equals(limits.values));
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return "Limits" + values;
  }
}
