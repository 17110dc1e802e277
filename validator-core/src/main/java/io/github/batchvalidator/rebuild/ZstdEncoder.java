// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rebuild;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One Zstandard frame. Plain bytes are gathered outside of the heap; if all of them fit there, the
 * frame is made in one call, for which the library takes tables that suit the size, and carries its
 * content size. A larger one is streamed, as Kafka does with each.
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

  /**
   * What a context was seen to hold for its tables and, when streaming, its window: at levels up to
   * this one, and at others.
   */
  private static final int LAST_LIGHT_LEVEL = 4;

  private static final int LIGHT_CALL_BYTES = 3 << 19;
  private static final int LIGHT_STREAM_BYTES = 9 << 19;
  private static final int CALL_BYTES = 5 << 20;
  private static final int STREAM_BYTES = 8 << 20;

  /** Streaming at a level above this one takes up to ten times that: the context is dropped. */
  private static final int LAST_RETAINED_LEVEL = 8;

  private final ByteBuffer plain = ByteBuffer.allocateDirect(ONE_CALL_BYTES);
  private final ByteBuffer stored = ByteBuffer.allocateDirect(bound(ONE_CALL_BYTES));
  private @Nullable ZstdCompressCtx context = new ZstdCompressCtx();
  private boolean streaming;
  private int level;
  private int contextBytes;

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
    ZstdCompressCtx current = context();
    current.reset();
    current.setLevel(newLevel);
    if (newLevel == Codec.ZSTD.defaultLevel()) {
      current.setMinMatch(MATCH_BYTES);
    }
  }

  private ZstdCompressCtx context() {
    ZstdCompressCtx current = context;
    if (current == null) {
      current = new ZstdCompressCtx();
      context = current;
    }
    return current;
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
    hold(level <= LAST_LIGHT_LEVEL ? LIGHT_CALL_BYTES : CALL_BYTES);
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
      hold(level <= LAST_LIGHT_LEVEL ? LIGHT_STREAM_BYTES : STREAM_BYTES);
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

  private void hold(int bytes) {
    contextBytes = Math.max(contextBytes, bytes);
  }

  private boolean write(int bytes) {
    if (!output.reserve(bytes)) {
      return false;
    }
    stored.get(0, output.array(), output.end(), bytes);
    output.advance(bytes);
    return true;
  }

  @Override
  public void release() {
    super.release();
    if (streaming && level > LAST_RETAINED_LEVEL) {
      closeContext();
    }
    streaming = false;
  }

  private void closeContext() {
    ZstdCompressCtx current = context;
    context = null;
    contextBytes = 0;
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
    return (long) plain.capacity() + stored.capacity() + contextBytes;
  }

  @Override
  public void close() {
    release();
    closeContext();
  }
}
