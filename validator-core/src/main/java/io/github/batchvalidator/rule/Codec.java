// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import org.jspecify.annotations.Nullable;

/**
 * The compression codecs of a record batch, in the order of their ids (Kafka's {@code
 * CompressionType}).
 */
public enum Codec {
  /** Records lie plain in the batch. */
  NONE(0),
  /** RFC 1952 members. */
  GZIP(1),
  /** Xerial block stream, or one raw Snappy block. */
  SNAPPY(2),
  /** LZ4 frame, the subset that Kafka reads. */
  LZ4(3),
  /** Zstandard frames (KIP-110). */
  ZSTD(4);

  private static final Codec[] BY_ID = values();

  private final int id;

  Codec(int id) {
    this.id = id;
  }

  /** {@return how many codecs there are; ids run from 0 to one less} */
  public static int count() {
    return BY_ID.length;
  }

  /**
   * Looks a codec up by the low three bits of a batch's attributes.
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
}
