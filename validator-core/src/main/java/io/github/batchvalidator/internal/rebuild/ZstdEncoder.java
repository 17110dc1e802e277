// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.codec.DirectBuffers;
import io.github.batchvalidator.internal.codec.zstd.ZstdCompressor;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;

/**
 * An encoder for one Zstandard frame. Plain bytes are gathered off-heap. If they fit there, one
 * call compresses them; its tables suit the size, and the frame declares its content size. Larger
 * payloads are streamed, as Kafka does with all.
 *
 * <p>Each frame gets a new context. The library clears its tables from start to end, which loads
 * them into the caches. A used context keeps its tables: if other work has taken the caches, each
 * lookup waits for memory (docs/decisions/002).
 */
final class ZstdEncoder extends Encoder {
  /** The maximum size of plain bytes that are compressed in one call. */
  static final int ONE_CALL_BYTES = 256 * 1024;

  /**
   * The shortest match that the library searches for in a stream at Kafka's default level. For a
   * known size of up to 16 KiB, or above 128 KiB, it would search for shorter matches, which costs
   * time and bytes.
   */
  private static final int MATCH_BYTES = 5;

  /**
   * The largest window of a streamed frame, as log2. It bounds memory of readers and the library's
   * tables.
   */
  private static final int LARGEST_WINDOW_LOG = 23;

  /** The first level for which the library would choose a larger window. */
  private static final int FIRST_LARGER_LEVEL = 20;

  private ByteBuffer plain = DirectBuffers.take(ONE_CALL_BYTES);
  private ByteBuffer stored = DirectBuffers.take(bound(ONE_CALL_BYTES));

  private final ZstdCompressor compressor = ZstdCompressor.create();

  private boolean streaming;
  private int level;

  ZstdEncoder() {
    super(Codec.ZSTD);
    compressor.open(); // so that a library that cannot be loaded is noticed
  }

  /** Returns the largest output of the library for more than 128 KiB, from its public header. */
  private static int bound(int plainBytes) {
    return plainBytes + (plainBytes >> 8);
  }

  @Override
  void start(int newLevel, int magic) {
    plain.clear();
    streaming = false;
    level = newLevel;
    compressor.close();
    compressor.open();
    compressor.setLevel(newLevel);
    if (newLevel == Codec.ZSTD.defaultLevel()) {
      compressor.setMinMatch(MATCH_BYTES);
    }
  }

  @Override
  void encode(byte[] source, int from, int length) {
    int at = from;
    int left = length;
    while (left > 0 && output.failure() == null) {
      if (!plain.hasRemaining()) {
        stream(false);
      }
      int bytes = Math.min(left, plain.remaining());
      plain.put(source, at, bytes);
      at += bytes;
      left -= bytes;
    }
  }

  @Override
  void end() {
    if (streaming) {
      stream(true);
      return;
    }
    write(compressor.compress(stored, plain, plain.position()));
  }

  /** Compresses the gathered bytes as the next part of a stream. */
  private void stream(boolean isLast) {
    if (!streaming) {
      streaming = true;
      if (level >= FIRST_LARGER_LEVEL) {
        compressor.setWindowLog(LARGEST_WINDOW_LOG);
      }
    }
    plain.flip();
    boolean done;
    do {
      stored.clear();
      boolean isFlushed = compressor.compressStream(stored, plain, isLast);
      done = isLast ? isFlushed : !plain.hasRemaining();
    } while (write(stored.position()) && !done);
    plain.clear();
  }

  private boolean write(int bytes) {
    if (!output.reserve(bytes)) {
      return false;
    }
    stored.get(0, output.array(), output.length(), bytes);
    output.advance(bytes);
    return true;
  }

  @Override
  public void release() {
    super.release();
    compressor.close();
  }

  @Override
  public void close() {
    super.close();
    plain = DirectBuffers.give(plain);
    stored = DirectBuffers.give(stored);
  }

  @Override
  public long heapBytes() {
    return 0;
  }

  @Override
  public long nativeBytes() {
    return (long) plain.capacity() + stored.capacity();
  }
}
