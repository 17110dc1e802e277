// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Codec;

/** One decoder per codec. Confined to one thread. */
public final class Decoders extends PerCodec<PayloadDecoder> {
  private final int windowBytes;
  private final boolean likeKafka;

  private Decoders(int windowBytes, boolean likeKafka) {
    this.windowBytes = windowBytes;
    this.likeKafka = likeKafka;
  }

  /** {@return decoders with the window that is fastest for each codec} */
  public static Decoders fastest() {
    return new Decoders(Integer.MAX_VALUE, false);
  }

  /**
   * {@return decoders whose windows are {@link SkipBuffer#FIXED_BYTES} each, for hosts with many
   * validators} Blocks of lz4 and Snappy are still decoded whole.
   */
  public static Decoders lowMemory() {
    return withWindow(SkipBuffer.FIXED_BYTES);
  }

  /**
   * {@return decoders that hand out plain bytes in exactly the portions in which Kafka's readers
   * pull them} Of several faults in a stream and the records in it the same one is met first as in
   * Kafka. They are slower, allocate for each batch and tell the same where there is one fault.
   */
  public static Decoders likeKafka() {
    return new Decoders(Integer.MAX_VALUE, true);
  }

  /** {@return decoders that expose a given number of bytes at a time, at least 1} */
  static Decoders withWindow(int bytes) {
    return new Decoders(bytes, false);
  }

  @Override
  protected PayloadDecoder construct(Codec codec) {
    return switch (codec) {
      case NONE -> new StoredDecoder(windowBytes);
      case GZIP -> likeKafka ? GzipDecoder.likeKafka() : new GzipDecoder(windowBytes);
      case SNAPPY -> likeKafka ? new SnappyPortions() : new SnappyDecoder(windowBytes);
      case LZ4 -> new Lz4Decoder(windowBytes); // block by block, as Kafka's reader
      case ZSTD -> likeKafka ? new ZstdPortions() : new ZstdDecoder(windowBytes);
    };
  }
}
