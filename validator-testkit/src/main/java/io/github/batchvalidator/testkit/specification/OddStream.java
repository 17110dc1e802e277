// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG.Bits;

/**
 * A compressed stream that Kafka reads to its end, and in which level STRICT finds something.
 *
 * @param stream the stored bytes
 * @param finding what the rows {@code CODEC_} of docs/rules.md say about them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OddStream(byte[] stream, Reason finding) {
  private static final int SNAPPY_HEADER_BYTES = 16;

  /** Returns false for codecs without such streams: Kafka's versions differ about those of zstd. */
  static boolean isKnown(Codec codec) {
    return codec != Codec.NONE && codec != Codec.ZSTD;
  }

  /**
   * Draws a stream.
   *
   * @param codec a known one
   * @param stream what the codec writes
   * @param plain the same bytes, not compressed
   */
  static OddStream draw(Choices choices, Codec codec, byte[] stream, byte[] plain) {
    int more = 1 + choices.below(3);
    int kind = choices.below(3);
    if (codec == Codec.SNAPPY && kind > 0) {
      byte[] twice = Arrays.copyOf(stream, stream.length + SNAPPY_HEADER_BYTES);
      System.arraycopy(stream, 0, twice, stream.length, SNAPPY_HEADER_BYTES);
      return new OddStream(twice, Reason.CODEC_STREAM_AMBIGUOUS);
    }
    if (codec == Codec.LZ4 && kind == 1) {
      byte[] marked = stream.clone();
      marked[marked.length - 1] = (byte) 0x80; // the end mark is that of a stored block
      return new OddStream(marked, Reason.CODEC_STREAM_AMBIGUOUS);
    }
    if (codec == Codec.LZ4 && kind == 2) {
      byte[] checked = checked(plain);
      checked[checked.length - 1] ^= 1;
      return new OddStream(checked, Reason.CODEC_CONTENT_CHECKSUM_WRONG);
    }
    return new OddStream(Arrays.copyOf(stream, stream.length + more), Reason.CODEC_BYTES_LEFT);
  }

  /** Returns an LZ4 frame that ends with a checksum of its content. */
  private static byte[] checked(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LZ4FrameOutputStream frame =
        new LZ4FrameOutputStream(
            out, BLOCKSIZE.SIZE_64KB, -1, Bits.BLOCK_INDEPENDENCE, Bits.CONTENT_CHECKSUM)) {
      frame.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
