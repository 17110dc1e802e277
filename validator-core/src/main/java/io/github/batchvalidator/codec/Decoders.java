// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Codec;

/** One decoder per codec. Confined to one thread. */
public final class Decoders extends PerCodec<PayloadDecoder> {
  private final int windowBytes;
  private final GzipInflater gzip;
  private final boolean likeKafka;

  private Decoders(int windowBytes, GzipInflater gzip, boolean likeKafka) {
    this.windowBytes = windowBytes;
    this.gzip = gzip;
    this.likeKafka = likeKafka;
  }

  /**
   * {@return decoders with the window that is fastest for each codec}
   *
   * @param gzip what inflates gzip
   */
  public static Decoders fastest(GzipInflater gzip) {
    return withWindow(Integer.MAX_VALUE, gzip);
  }

  /** {@return decoders with the window that is fastest for each codec, and the JDK's inflater} */
  public static Decoders fastest() {
    return fastest(GzipInflater.JDK);
  }

  /**
   * {@return decoders whose windows are {@link SkipBuffer#FIXED_BYTES} each, for hosts with many
   * validators} Blocks of lz4 and Snappy are still decoded whole.
   */
  public static Decoders lowMemory() {
    return withWindow(SkipBuffer.FIXED_BYTES, GzipInflater.JDK);
  }

  /**
   * {@return decoders that hand out plain bytes in exactly the portions in which Kafka's readers
   * pull them} Of several faults in a stream and the records in it the same one is met first as in
   * Kafka. They are slower, allocate for each batch and tell the same where there is one fault.
   */
  public static Decoders likeKafka() {
    return new Decoders(Integer.MAX_VALUE, GzipInflater.JDK, true);
  }

  /** {@return decoders that expose a given number of bytes at a time, at least 1} */
  static Decoders withWindow(int bytes, GzipInflater gzip) {
    return new Decoders(bytes, gzip, false);
  }

  @Override
  protected PayloadDecoder construct(Codec codec) {
    return switch (codec) {
      case NONE -> new StoredDecoder(windowBytes);
      case GZIP -> likeKafka ? GzipDecoder.likeKafka() : new GzipDecoder(windowBytes, gzip);
      case SNAPPY -> likeKafka ? new SnappyPortions() : new SnappyDecoder(windowBytes);
      case LZ4 -> new Lz4Decoder(windowBytes); // block by block, as Kafka's reader
      case ZSTD -> likeKafka ? new ZstdPortions() : new ZstdDecoder(windowBytes);
    };
  }
}
