// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.github.batchvalidator.internal.codec.CodecFailure;
import io.github.batchvalidator.internal.codec.DirectBuffers;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  /** Created at once, so that a library that cannot be loaded is noticed. */
  private @Nullable ZstdCompressCtx context = newContext();

  private boolean streaming;
  private int level;

  ZstdEncoder() {
    super(Codec.ZSTD);
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
    closeContext();
    ZstdCompressCtx current = newContext();
    context = current;
    current.setLevel(newLevel);
    if (newLevel == Codec.ZSTD.defaultLevel()) {
      current.setMinMatch(MATCH_BYTES);
    }
  }

  private static ZstdCompressCtx newContext() {
    try {
      return new ZstdCompressCtx();
    } catch (IllegalStateException e) {
      throw CodecFailure.noContext(e);
    }
  }

  private ZstdCompressCtx context() {
    return Objects.requireNonNull(context, "not open");
  }

  @Override
  void encode(byte[] source, int from, int length) {
    int at = from;
    int left = length;
    while (left > 0 && output.failure() == null) {
      if (!plain.hasRemaining()) {
        stream(EndDirective.CONTINUE);
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
      stream(EndDirective.END);
      return;
    }
    int bytes =
        context()
            .compressDirectByteBuffer(stored, 0, stored.capacity(), plain, 0, plain.position());
    write(bytes);
  }

  /** Compresses the gathered bytes as the next part of a stream. */
  private void stream(EndDirective directive) {
    ZstdCompressCtx current = context();
    if (!streaming) {
      streaming = true;
      if (level >= FIRST_LARGER_LEVEL) {
        current.setWindowLog(LARGEST_WINDOW_LOG);
      }
    }
    plain.flip();
    boolean done;
    do {
      stored.clear();
      done = current.compressDirectByteBufferStream(stored, plain, directive);
      done = directive == EndDirective.END ? done : !plain.hasRemaining();
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
    closeContext();
  }

  @Override
  public void close() {
    super.close();
    plain = DirectBuffers.give(plain);
    stored = DirectBuffers.give(stored);
  }

  private void closeContext() {
    ZstdCompressCtx current = context;
    context = null;
    if (current != null) {
      current.close();
    }
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
