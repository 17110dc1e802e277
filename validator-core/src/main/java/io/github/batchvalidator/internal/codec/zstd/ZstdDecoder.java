// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import io.github.batchvalidator.internal.codec.ArraylessBytes;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.DirectBuffers;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.codec.Scratch;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.nio.ByteBuffer;

/**
 * A decoder for one or more Zstandard frames, including empty and skippable ones (KIP-110).
 *
 * <p>A payload of one frame with one compressed block, or with few other blocks, is decoded in one
 * call. The array has room for the maximum content of these blocks. Every other payload is streamed
 * through a small window. A payload that the one call rejects is streamed too, to determine the
 * fault.
 */
public final class ZstdDecoder extends PayloadDecoder {
  /**
   * Maximum room for one call: two full blocks. A native call on arrays delays the garbage
   * collector of older JDKs, and a critical call all safepoints. Calls are therefore kept below 100
   * microseconds.
   */
  public static final int ONE_CALL_BYTES = 2 * ZstdFrame.MAX_BLOCK_BYTES;

  /** Number of bytes copied from the stream at a time, and the room of Kafka's reader. */
  public static final int WINDOW_BYTES = ZstdFrame.KAFKA_READ_BYTES;

  /**
   * Number of bytes that the library decodes at a time. With large uncompressed blocks, smaller
   * numbers take up to a third more time.
   */
  private static final int STREAM_BYTES = 64 * 1024;

  /** A context that had to hold a larger window is dropped after the batch. */
  private static final long RETAINED_WINDOW_BYTES = 1 << 23;

  /** Native memory of a context besides its window: itself, one block of input, two of output. */
  private static final int CONTEXT_BYTES = 480 * 1024;

  /** The largest payload that is decoded in one call. */
  private static final int ONE_CALL_INPUT_BYTES = ONE_CALL_BYTES + ZstdFrame.HEADERS_BYTES;

  private final ZstdFrame frame = new ZstdFrame();
  private final Scratch input = new Scratch(WINDOW_BYTES);
  private final Scratch plain = new Scratch(ONE_CALL_BYTES);
  private final boolean streamAlways;
  private final int windowBytes;
  private ByteBuffer streamIn;
  private ByteBuffer streamOut;
  private final Scratch copy;
  private final ArraylessBytes arrayless;

  private final ZstdContext context = ZstdContext.create();

  /** For frames that bypass the buffers of Kafka's context. Open within a payload only. */
  private final ZstdContext aside = ZstdContext.create();

  /** Window of the streamed frame, in bytes. A frame decoded in one call needs no window. */
  private long frameWindow;

  private long largestWindow;
  private long memoryLimit;

  private boolean hasStreamed;
  private boolean alone;
  private int roomBytes;

  /** Room of Kafka's reader at the start of the frame, in bytes. */
  private long kafkaRoom;

  private long framePlain;
  private int oneCallBytes;
  private boolean streaming;
  private int fed;
  private boolean isAside;
  private boolean outputPending;
  private boolean betweenFrames;
  private int frameEnd;

  public ZstdDecoder(int windowBytes) {
    streamAlways = windowBytes < WINDOW_BYTES;
    this.windowBytes = Math.min(WINDOW_BYTES, windowBytes);
    boolean readsAll = context.readsDirectMemory() && !streamAlways;
    streamIn = DirectBuffers.take(readsAll ? ONE_CALL_INPUT_BYTES : ZstdFrame.KAFKA_INPUT_BYTES);
    streamOut = DirectBuffers.take(streamAlways ? windowBytes : STREAM_BYTES);
    copy = new Scratch(this.windowBytes);
    copy.atLeast(this.windowBytes); // allocate now: the first stream may come much later
    arrayless = new ArraylessBytes(this.windowBytes, copy);
    context.open();
  }

  @Override
  protected void start(Limits limits, ByteWindow target) {
    memoryLimit = limits.codecMemoryBytes();
    oneCallBytes = 0;
    arrayless.clear();
    streaming = false;
    frame.forget();
    if (checkMemory(target) && !streamAlways && decodeInOneCall()) {
      return;
    }
    startStream(target);
  }

  /** Checks the window of the frame that starts at the next byte of input, if there is one. */
  private boolean checkMemory(ByteWindow target) {
    frameWindow = frame.windowBytes(payload, next);
    return checkWindow(frameWindow, memoryLimit, next, target);
  }

  /** Checks the window that the frame at a position declares. */
  public static boolean checkWindow(long bytes, long limit, int at, ByteWindow target) {
    if (bytes > ZstdFrame.LIBRARY_WINDOW_BYTES) {
      return target.fail(Reason.CODEC_DATA_CORRUPT, at);
    }
    return bytes <= limit || target.fail(Reason.LIMIT_CODEC_MEMORY, at, bytes, limit);
  }

  private boolean decodeInOneCall() {
    int room = (int) frame.roomForOneCall(payload, ONE_CALL_BYTES);
    if (room == ZstdFrame.UNKNOWN) {
      return false;
    }
    try {
      oneCallBytes = context.decompress(payload, input, streamIn, plain.atLeast(room), room);
    } catch (RuntimeException | Error e) {
      return false;
    }
    frame.look(payload, payload.length(), oneCallBytes);
    ambiguous = frame.dependsOnReader();
    next = payload.length();
    return true;
  }

  private void startStream(ByteWindow target) {
    alone = frame.isAloneWithoutSize(payload);
    forgetEarlierStreams();
    streaming = true;
    fed = 0;
    outputPending = false;
    betweenFrames = true;
    frameEnd = 0;
    streamIn.position(0).limit(0);
    context.reset(target);
  }

  /**
   * Closes the contexts if the buffer of an earlier stream could hide a fault. Kafka uses a new
   * context for each batch.
   *
   * <p>The library makes its buffer as large as the declared content size. A frame with more
   * content overflows the buffer, and a match that reaches too far back finds no bytes there. A
   * larger buffer would hide both faults.
   */
  private void forgetEarlierStreams() {
    if (hasStreamed && !(alone && frameWindow >= largestWindow)) {
      closeContexts();
    }
  }

  @Override
  protected boolean refill(ByteWindow target) {
    if (!streaming) {
      int bytes = oneCallBytes;
      oneCallBytes = 0;
      return bytes > 0 && target.expose(plain.atLeast(bytes), 0, bytes);
    }
    if (arrayless.left() > 0) {
      return arrayless.expose(target);
    }
    while (outputPending || streamIn.hasRemaining() || feed()) {
      if (betweenFrames && !startFrame(target)) {
        return false;
      }
      if (!step(target)) {
        return false;
      }
      if (arrayless.left() > 0) {
        return arrayless.expose(target);
      }
    }
    if (!betweenFrames && !isCutForgiven()) {
      target.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    return false;
  }

  /**
   * Starts a frame. A frame that Kafka's reader would not stream gets a separate context.
   *
   * <p>The library decodes a frame with a declared content size at once, with other checks, if the
   * output has room for it. Kafka's room is 16 KiB, or the rest of a record's body if that is
   * larger.
   *
   * <p>In a stream, a match may refer to any byte still in the buffer, including output of an
   * earlier frame. A frame that Kafka does not stream must leave no output there.
   */
  private boolean startFrame(ByteWindow target) {
    kafkaRoom = Math.max(WINDOW_BYTES, target.expected());
    int room = streamAlways ? windowBytes : (int) Math.min(kafkaRoom, streamOut.capacity());
    roomBytes = alone ? streamOut.capacity() : room;
    framePlain = 0;
    boolean isAllowed = checkMemory(target);
    isAside = frame.isStreamedForLackOfRoom(payload, roomBytes, kafkaRoom);
    return isAllowed && (!isAside || aside.reset(target));
  }

  /** Returns the library's output, so that large values are skipped without a copy. */
  @Override
  protected ArraylessBytes arrayless() {
    return arrayless;
  }

  private boolean feed() {
    int bytes = Math.min(left(), ZstdFrame.KAFKA_INPUT_BYTES);
    if (bytes == 0) {
      return false;
    }
    streamIn.clear();
    payload.copyTo(streamIn, next, bytes);
    streamIn.limit(bytes);
    fed = next + bytes;
    return true;
  }

  /** Decodes the next bytes, if any, into the buffer that pieces are copied from. */
  private boolean step(ByteWindow target) {
    if (!isAside) {
      largestWindow = Math.max(largestWindow, frameWindow);
      hasStreamed = true;
    }
    ZstdContext current = isAside ? aside : context;
    streamOut.clear().limit(roomBytes);
    boolean frameEnded;
    try {
      frameEnded = current.decompressStream(streamOut, streamIn);
    } catch (RuntimeException | Error e) {
      return target.fail(e, Reason.CODEC_DATA_CORRUPT, next, Codec.ZSTD);
    }
    next = fed - streamIn.remaining();
    betweenFrames = frameEnded;
    frameEnd = frameEnded ? next : frameEnd;
    outputPending = !frameEnded && !streamOut.hasRemaining();
    arrayless.put(streamOut, 0, streamOut.position());
    framePlain += arrayless.left();
    return !frameEnded || checkWhole(target);
  }

  /** Rejects a whole frame if Kafka's reader has room to decode it at once and rejects it. */
  private boolean checkWhole(ByteWindow target) {
    frame.look(payload, next, framePlain);
    ambiguous |= frame.dependsOnReader();
    return !frame.isRefusedByKafka(kafkaRoom) || target.fail(Reason.CODEC_DATA_CORRUPT, next);
  }

  /** Counts a tolerated truncated frame as bytes after the end of the stream. */
  @Override
  public int bytesBehindEnd() {
    return streaming && !betweenFrames ? payload.length() - frameEnd : left();
  }

  private boolean isCutForgiven() {
    return frameEnd > 0
        && (frameEnd - 1) / ZstdFrame.KAFKA_INPUT_BYTES
            == (payload.length() - 1) / ZstdFrame.KAFKA_INPUT_BYTES;
  }

  @Override
  public void release() {
    arrayless.clear();
    input.release();
    plain.release();
    aside.close();
    if (largestWindow > RETAINED_WINDOW_BYTES) {
      closeContexts();
    }
  }

  @Override
  public long heapBytes() {
    return (long) copy.heapBytes() + input.heapBytes() + plain.heapBytes();
  }

  @Override
  public long nativeBytes() {
    return streamIn.capacity() + streamOut.capacity() + CONTEXT_BYTES + largestWindow;
  }

  @Override
  public void close() {
    closeContexts();
    streamIn = DirectBuffers.give(streamIn);
    streamOut = DirectBuffers.give(streamOut);
  }

  private void closeContexts() {
    aside.close();
    context.close();
    hasStreamed = false;
    largestWindow = 0;
  }
}
