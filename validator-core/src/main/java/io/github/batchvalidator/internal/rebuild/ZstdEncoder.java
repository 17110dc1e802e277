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
 * One Zstandard frame. Plain bytes are gathered outside of the heap; if all of them fit there, the
 * frame is made in one call, for which the library takes tables that suit the size, and carries its
 * content size. A larger one is streamed, as Kafka does with each.
 *
 * <p>Each frame has a context of its own, whose tables the library clears, and so fetches, from
 * their start to their end. One that was used before keeps them as they are: where other work has
 * taken the caches meanwhile, each look into them waits for memory (docs/decisions/002).
 */
final class ZstdEncoder extends Encoder {
  /** The most plain bytes compressed in one call. */
  static final int ONE_CALL_BYTES = 256 * 1024;

  /**
   * The shortest match that the library looks for at Kafka's default level in a stream. Told a size
   * of up to 16 KiB, or above 128, it would look for shorter ones, for more time and more bytes.
   */
  private static final int MATCH_BYTES = 5;

  /** The largest window that a streamed frame asks its readers for, and the library for tables. */
  private static final int LARGEST_WINDOW_LOG = 23;

  /** From this level on the library would choose a larger one. */
  private static final int FIRST_LARGER_LEVEL = 20;

  private ByteBuffer plain = DirectBuffers.take(ONE_CALL_BYTES);
  private ByteBuffer stored = DirectBuffers.take(bound(ONE_CALL_BYTES));

  /** Made at once, so that a library that cannot be loaded is noticed. */
  private @Nullable ZstdCompressCtx context = newContext();

  private boolean streaming;
  private int level;

  ZstdEncoder() {
    super(Codec.ZSTD);
  }

  /** The worst case of the library for anything above 128 KiB, from its public header. */
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

  /** Compresses what was gathered. */
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
