// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import org.jspecify.annotations.Nullable;

/**
 * The compression codecs of a record batch, in the order of their ids (Kafka's {@code
 * CompressionType}).
 */
public enum Codec {
  /** No compression. */
  NONE(0, 0, 0, 0),
  /** RFC 1952 members. */
  GZIP(1, -1, 1, 9),
  /** Xerial block stream, or one raw Snappy block. */
  SNAPPY(2, 0, 0, 0),
  /** LZ4 frame, the subset that Kafka reads. */
  LZ4(3, 9, 1, 17),
  /** Zstandard frames (KIP-110). */
  ZSTD(4, 3, -131_072, 22);

  private static final Codec[] BY_ID = values();

  private final int id;
  private final int defaultLevel;
  private final int minLevel;
  private final int maxLevel;

  Codec(int id, int defaultLevel, int minLevel, int maxLevel) {
    this.id = id;
    this.defaultLevel = defaultLevel;
    this.minLevel = minLevel;
    this.maxLevel = maxLevel;
  }

  /** {@return the number of codecs; ids run from 0 to this number minus 1} */
  public static int count() {
    return BY_ID.length;
  }

  /**
   * Returns the codec with an id: the low three bits of a batch's attributes.
   *
   * @param id 0 to 7
   * @return the codec, or null for the ids 5 to 7, which Kafka does not define
   */
  public static @Nullable Codec byId(int id) {
    return id < BY_ID.length ? BY_ID[id] : null;
  }

  /** {@return the id on the wire, 0 to 4} */
  public int id() {
    return id;
  }

  /** {@return the default compression level; 0 for codecs without levels} */
  public int defaultLevel() {
    return defaultLevel;
  }

  /**
   * {@return true if the codec has a level: gzip has -1 and 1 to 9, lz4 1 to 17, zstd -131072 to
   * 22} These are the ranges of Kafka's configuration (KIP-780). Codecs without levels have 0 only.
   *
   * @param level the compression level
   */
  public boolean hasLevel(int level) {
    return level == defaultLevel || (minLevel <= level && level <= maxLevel);
  }
}
