// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.payload;

import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.codec.SkipBuffer;
import io.github.batchvalidator.internal.codec.StoredDecoder;
import io.github.batchvalidator.internal.codec.gzip.GzipDecoder;
import io.github.batchvalidator.internal.codec.lz4.Lz4Decoder;
import io.github.batchvalidator.internal.codec.snappy.SnappyDecoder;
import io.github.batchvalidator.internal.codec.zstd.ZstdDecoder;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;

/**
 * A set of decoders that expose plain bytes through windows of a chosen size. Confined to one
 * thread.
 */
public final class WindowDecoders extends Decoders {
  private final int windowBytes;
  private final GzipInflater gzip;

  private WindowDecoders(int windowBytes, GzipInflater gzip) {
    this.windowBytes = windowBytes;
    this.gzip = gzip;
  }

  /**
   * {@return decoders with the fastest window for each codec}
   *
   * @param gzip the inflater for gzip
   */
  public static Decoders fastest(GzipInflater gzip) {
    return withWindow(Integer.MAX_VALUE, gzip);
  }

  /** {@return decoders with the fastest window and inflater for each batch} */
  public static Decoders fastest() {
    return fastest(GzipInflater.AUTO);
  }

  /**
   * {@return decoders with windows of {@link SkipBuffer#FIXED_BYTES}, for hosts with many
   * validators} Blocks of lz4 and Snappy are still decoded as a whole.
   */
  public static Decoders lowMemory() {
    return withWindow(SkipBuffer.FIXED_BYTES, GzipInflater.JDK);
  }

  /**
   * {@return decoders that expose at most {@code bytes} bytes at a time}
   *
   * @param bytes the size of the window, at least 1
   * @param gzip the inflater for gzip
   */
  public static Decoders withWindow(int bytes, GzipInflater gzip) {
    return new WindowDecoders(bytes, gzip);
  }

  @Override
  protected PayloadDecoder construct(Codec codec) {
    return switch (codec) {
      case NONE -> new StoredDecoder(windowBytes);
      case GZIP -> new GzipDecoder(windowBytes, gzip);
      case SNAPPY -> new SnappyDecoder(windowBytes);
      case LZ4 -> new Lz4Decoder(windowBytes);
      case ZSTD -> new ZstdDecoder(windowBytes);
    };
  }
}
