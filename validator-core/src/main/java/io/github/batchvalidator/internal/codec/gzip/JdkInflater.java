// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.Scratch;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Inflates with the JDK's zlib, which is what Kafka does. */
final class JdkInflater extends MemberInflater {
  /** Input that is copied is fed in pieces of this size at the most. */
  private static final int COPIED_BYTES = 64 * 1024;

  /** What zlib holds for one inflater: its 32 KiB window and its tables. */
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
   * @param window takes the plain bytes, from its index 0 on
   * @param pieceBytes how many bytes of input it is given at a time
   */
  JdkInflater(byte[] window, int pieceBytes) {
    this.window = window;
    this.pieceBytes = pieceBytes;
    input = new Scratch(Math.min(COPIED_BYTES, pieceBytes));
  }

  /** Its pieces are no larger than what each codec may hold. */
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

  /** A portion ends where the output is not full, and with the member. */
  @Override
  int inflate(int most) {
    if (inflater.needsInput() && !outputPending && !feed()) {
      return CUT;
    }
    int bytes;
    try {
      bytes = inflater.inflate(window, 0, most);
    } catch (DataFormatException | RuntimeException | Error e) {
      next = fed - inflater.getRemaining();
      cause = e;
      return CORRUPT;
    }
    next = fed - inflater.getRemaining();
    ended = inflater.finished();
    outputPending = bytes == most && !ended;
    return bytes;
  }

  /** Feeds the next piece, or what is left of the one in which the last member ended. */
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
