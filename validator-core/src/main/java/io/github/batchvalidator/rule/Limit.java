// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import org.jspecify.annotations.Nullable;

/** The limits of {@link Limits}: their meaning, their names in settings and their legal values. */
public enum Limit {
  /**
   * The maximum size of a batch after decompression, in bytes. {@link Long#MAX_VALUE} is the
   * behavior of Kafka.
   */
  PLAIN_BYTES("plainBytes", 0, Long.MAX_VALUE),
  /**
   * The maximum number of plain bytes per compressed byte of a batch. {@link Limits#UNLIMITED} is
   * the behavior of Kafka. The first {@link Limits#RATIO_FLOOR_BYTES} plain bytes are free.
   */
  RATIO("ratio", 1, Limits.UNLIMITED),
  /**
   * The maximum number of records that a batch may declare, and of messages that a compressed
   * message of magic 0 or 1 may contain. {@link Limits#UNLIMITED} is the behavior of Kafka.
   */
  RECORDS("records", 1, Limits.UNLIMITED),
  /**
   * The maximum size of the body of a record in a compressed batch, declared and actual, in bytes:
   * the {@code max.decompressed.message.bytes} of Kafka 4.4. {@link Limits#UNLIMITED} is the
   * behavior of earlier lines, {@link Limits#LARGEST_RECORD_BYTES} the default of 4.4.
   */
  RECORD_BYTES("recordBytes", 1, Limits.UNLIMITED),
  /**
   * The maximum number of headers that a record may declare. {@link Limits#UNLIMITED} is the
   * behavior of Kafka.
   */
  HEADERS("headers", 0, Limits.UNLIMITED),
  /**
   * The maximum size of the headers of a record, in bytes: keys, values and their length fields,
   * without the number of headers. {@link Limits#UNLIMITED} is the behavior of Kafka.
   */
  HEADER_BYTES("headerBytes", 0, Limits.UNLIMITED),
  /**
   * The maximum memory of one codec for a window or a block, in bytes, 64 KiB to 128 MiB. The
   * largest value is the largest window that Kafka's zstd reader accepts. Kafka decodes larger
   * Snappy blocks; they are refused here.
   */
  CODEC_MEMORY_BYTES("codecMemoryBytes", 1 << 16, 1 << 27),
  /**
   * The maximum size of a rebuilt batch, in bytes. A rebuild also bounds by it the record that it
   * holds in one piece and the headers whose keys it repairs.
   */
  REBUILT_BYTES("rebuiltBytes", 1, Integer.MAX_VALUE - 8);

  private final String label;
  private final long least;
  private final long most;

  Limit(String label, long least, long most) {
    this.label = label;
    this.least = least;
    this.most = most;
  }

  /** {@return the name in settings and in messages} */
  public String label() {
    return label;
  }

  /**
   * {@return true if the limit accepts a value}
   *
   * @param value any number
   */
  public boolean isLegal(long value) {
    boolean between =
        this == RECORD_BYTES && value > Limits.LARGEST_RECORD_BYTES && value < Limits.UNLIMITED;
    return value >= least && value <= most && !between;
  }

  /** {@return the values that the limit accepts, in words} */
  public String legalValues() {
    return this == RECORD_BYTES
        ? range(Limits.LARGEST_RECORD_BYTES) + ", or " + most + " for what Kafka did before 4.4"
        : range(most);
  }

  private String range(long end) {
    return "a whole number from " + least + " to " + end;
  }

  /**
   * {@return the value of a text, or null if the limit does not accept it}
   *
   * @param text decimal digits
   */
  public @Nullable Long parse(String text) {
    try {
      Long value = Long.valueOf(text);
      return isLegal(value) ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
