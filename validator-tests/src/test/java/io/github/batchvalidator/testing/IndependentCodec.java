// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.jcraft.jzlib.GZIPInputStream;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdInputStream;
import io.github.batchvalidator.rule.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;

/** Decoders that share no code with ours, nor with the libraries that ours and Kafka call. */
public final class IndependentCodec {
  private static final int SNAPPY_HEADER_BYTES = 16;

  private IndependentCodec() {}

  /** Skips a test on big-endian processors, where aircompressor does not run. */
  public static void assumeAircompressorRuns() {
    assumeTrue(aircompressorRuns(), "aircompressor needs a little-endian processor");
  }

  private static boolean aircompressorRuns() {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  }

  /** Tells whether streams of a codec can be decoded on this processor. */
  public static boolean decodes(Codec codec) {
    return aircompressorRuns() || !(codec == Codec.SNAPPY || codec == Codec.ZSTD);
  }

  /** Returns the plain bytes of a well-formed stream. */
  public static byte[] decode(Codec codec, byte[] stored) throws IOException {
    if (codec == Codec.SNAPPY) {
      return snappy(stored);
    }
    try (InputStream in = open(codec, new ByteArrayInputStream(stored))) {
      return in.readAllBytes();
    }
  }

  private static InputStream open(Codec codec, InputStream stored) throws IOException {
    return switch (codec) {
      case NONE -> stored;
      case GZIP -> new GZIPInputStream(stored);
      case LZ4 -> new FramedLZ4CompressorInputStream(stored);
      case ZSTD -> new ZstdInputStream(stored);
      case SNAPPY -> throw new IllegalArgumentException("there is no such stream");
    };
  }

  private static byte[] snappy(byte[] stored) {
    ByteBuffer in = ByteBuffer.wrap(stored).position(SNAPPY_HEADER_BYTES);
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    while (in.hasRemaining()) {
      byte[] block = new byte[in.getInt()];
      in.get(block);
      byte[] target = new byte[SnappyDecompressor.getUncompressedLength(block, 0)];
      new SnappyDecompressor().decompress(block, 0, block.length, target, 0, target.length);
      plain.writeBytes(target);
    }
    return plain.toByteArray();
  }
}
