// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Codec;

/** One decoder per codec. Confined to one thread. */
public final class Decoders extends PerCodec<PayloadDecoder> {
  private final int windowBytes;

  private Decoders(int windowBytes) {
    this.windowBytes = windowBytes;
  }

  /** {@return decoders with the window that is fastest for each codec} */
  public static Decoders fastest() {
    return new Decoders(Integer.MAX_VALUE);
  }

  /**
   * {@return decoders whose windows are {@link SkipBuffer#FIXED_BYTES} each, for hosts with many
   * validators} Blocks of lz4 and Snappy are still decoded whole.
   */
  public static Decoders lowMemory() {
    return withWindow(SkipBuffer.FIXED_BYTES);
  }

  /** {@return decoders that expose a given number of bytes at a time, at least 1} */
  static Decoders withWindow(int bytes) {
    return new Decoders(bytes);
  }

  @Override
  protected PayloadDecoder construct(Codec codec) {
    return switch (codec) {
      case NONE -> new StoredDecoder(windowBytes);
      case GZIP -> new GzipDecoder(windowBytes);
      case SNAPPY -> new SnappyDecoder(windowBytes);
      case LZ4 -> new Lz4Decoder(windowBytes);
      case ZSTD -> new ZstdDecoder(windowBytes);
    };
  }
}
