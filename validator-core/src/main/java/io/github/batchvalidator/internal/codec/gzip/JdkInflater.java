// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** An inflater that uses the JDK's zlib, as Kafka does. */
final class JdkInflater extends MemberInflater {
  /** Maximum size of a piece of input that is copied. */
  private static final int COPIED_BYTES = 64 * 1024;

  /** Native memory of a zlib inflater: its 32 KiB window and its tables. */
  private static final int NATIVE_BYTES = 40 * 1024;

  private static final byte[] NOTHING = {};

  private final Inflater inflater = new Inflater(true);
  private final byte[] window;
  private final Scratch input;
  private final int pieceBytes;
  private Payload payload = new Payload();
  private int pieceAt;
  private int next;
  private int fed;
  private boolean outputPending;
  private boolean ended;
  private @Nullable Throwable cause;

  /**
   * Creates an inflater.
   *
   * @param window receives the plain bytes, from index 0 on
   * @param pieceBytes the maximum number of input bytes to feed at a time
   */
  JdkInflater(byte[] window, int pieceBytes) {
    this.window = window;
    this.pieceBytes = pieceBytes;
    input = new Scratch(Math.min(COPIED_BYTES, pieceBytes));
  }

  /** Ignores the limit: a piece is at most 64 KiB, which is the smallest legal limit. */
  @Override
  void open(Payload source, int memoryLimit) {
    payload = source;
    fed = 0;
    cause = null;
  }

  @Override
  void start(int from) {
    next = from;
    ended = false;
    outputPending = false;
    inflater.reset();
  }

  @Override
  int inflate(int max) {
    // After a full output zlib may hold more output and needs no input yet.
    if (inflater.needsInput() && !outputPending && !feed()) {
      return CUT;
    }
    int bytes;
    try {
      bytes = inflater.inflate(window, 0, max);
    } catch (DataFormatException | RuntimeException | Error e) {
      next = fed - inflater.getRemaining();
      cause = e;
      return CORRUPT;
    }
    next = fed - inflater.getRemaining();
    ended = inflater.finished();
    outputPending = bytes == max && !ended;
    return bytes;
  }

  /** Feeds the next piece, or the rest of the piece in which the last member ended. */
  private boolean feed() {
    if (next >= fed && !take()) {
      return false;
    }
    inflater.setInput(payload.array(), payload.arrayOffset() + next - pieceAt, fed - next);
    return true;
  }

  private boolean take() {
    int bytes = Math.min(payload.length() - next, pieceBytes);
    if (!payload.isArray()) {
      bytes = Math.min(bytes, COPIED_BYTES);
    }
    if (bytes == 0) {
      return false;
    }
    payload.stretch(next, bytes, input);
    pieceAt = next;
    fed = next + bytes;
    return true;
  }

  @Override
  @Nullable Throwable cause() {
    return cause;
  }

  @Override
  byte[] array() {
    return window;
  }

  @Override
  int from() {
    return 0;
  }

  @Override
  boolean ended() {
    return ended;
  }

  @Override
  int position() {
    return next;
  }

  @Override
  void release() {
    inflater.setInput(NOTHING);
    input.release();
  }

  @Override
  public long heapBytes() {
    return (long) window.length + input.heapBytes();
  }

  @Override
  public long nativeBytes() {
    return NATIVE_BYTES;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
