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
 * Zstandard frames, one behind the other, empty and skippable ones included (KIP-110).
 *
 * <p>A payload that is one frame of one compressed block, or of few others, is decoded in one call,
 * into an array that is large enough for whatever such blocks can hold. Everything else, and
 * everything that the one call refuses, is streamed through a small window, which also decides what
 * the fault is.
 */
public final class ZstdDecoder extends PayloadDecoder {
  /**
   * The most room for one call: two full blocks. A native call on arrays holds up the collector of
   * older JDKs, so the calls are kept below 100 microseconds.
   */
  public static final int ONE_CALL_BYTES = 2 * ZstdFrame.MAX_BLOCK_BYTES;

  /** What is copied of the stream at a time, which is what Kafka has room for, too. */
  public static final int WINDOW_BYTES = ZstdFrame.KAFKA_READ_BYTES;

  /**
   * What comes out of the library at a time. Where blocks are large because they are not
   * compressed, smaller pieces take up to a third more time.
   */
  private static final int STREAM_BYTES = 64 * 1024;

  /** A context that had to hold a larger window is dropped behind the batch. */
  private static final long RETAINED_WINDOW_BYTES = 1 << 23;

  /** What a context holds beside its window: itself, a block of input and two of output. */
  private static final int CONTEXT_BYTES = 480 * 1024;

  private final ZstdFrame frame = new ZstdFrame();
  private final Scratch input = new Scratch(WINDOW_BYTES);
  private final Scratch plain = new Scratch(ONE_CALL_BYTES);
  private final boolean streamAlways;
  private final int windowBytes;
  private ByteBuffer streamIn = DirectBuffers.take(ZstdFrame.KAFKA_INPUT_BYTES);
  private ByteBuffer streamOut;
  private final Scratch copy;
  private final ArraylessBytes arrayless;

  private final ZstdContext context = new ZstdContext();

  /** Of frames that leave nothing behind in Kafka's context; open within a payload only. */
  private final ZstdContext aside = new ZstdContext();

  /** Of the streamed frame; one that is decoded in one call needs none, whatever it declares. */
  private long frameWindow;

  private long largestWindow;
  private long memoryLimit;

  private boolean hasStreamed;
  private boolean alone;
  private int roomBytes;

  /** What Kafka's reader would have room for at the start of the frame. */
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
    streamOut = DirectBuffers.take(streamAlways ? windowBytes : STREAM_BYTES);
    copy = new Scratch(this.windowBytes);
    copy.atLeast(this.windowBytes); // now: the first stream may come much later
    arrayless = new ArraylessBytes(this.windowBytes, copy);
    context.get();
  }

  @Override
  protected void start(Limits limits, ByteWindow target) {
    memoryLimit = limits.codecMemoryBytes();
    oneCallBytes = 0;
    arrayless.clear();
    streaming = false;
    if (checkMemory(target) && !streamAlways && decodeInOneCall()) {
      return;
    }
    startStream(target);
  }

  /** Looks at the frame that starts at the next byte of input, if one does. */
  private boolean checkMemory(ByteWindow target) {
    frameWindow = frame.windowBytes(payload, next);
    return checkWindow(frameWindow, memoryLimit, next, target);
  }

  /** Checks the window that a frame at a position asks for. */
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
      payload.stretch(0, payload.length(), input);
      byte[] target = plain.atLeast(room);
      oneCallBytes =
          context
              .get()
              .decompressByteArray(
                  target, 0, room, payload.array(), payload.arrayOffset(), payload.length());
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
   * Of a frame that says how much it holds the library notices that it holds more by its own
   * buffer, which is then as large as that, and whether a match lies too far back by what that
   * buffer still has; but neither if an earlier stream has left a larger one. Kafka takes a new
   * context for each batch.
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
   * A frame that says how much it holds is decoded at once, and otherwise, where there is room for
   * it. Kafka has as much as it reads at a time, but reads the rest of a record's body into that
   * body where it is larger. In a stream a match reaches as far as the buffer does that an earlier
   * one has left, so what Kafka does not stream has a context of its own here.
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

  /** Large values stay where the library has put them. */
  @Override
  protected ArraylessBytes arrayless() {
    return arrayless;
  }

  private boolean feed() {
    int bytes = Math.min(left(), streamIn.capacity());
    if (bytes == 0) {
      return false;
    }
    streamIn.clear();
    payload.copyTo(streamIn, next, bytes);
    streamIn.limit(bytes);
    fed = next + bytes;
    return true;
  }

  /** Decodes the next bytes, if there are any, to where pieces are copied from. */
  private boolean step(ByteWindow target) {
    if (!isAside) {
      largestWindow = Math.max(largestWindow, frameWindow);
      hasStreamed = true;
    }
    ZstdContext current = isAside ? aside : context;
    streamOut.clear().limit(roomBytes);
    boolean frameEnded;
    try {
      frameEnded = current.get().decompressDirectByteBufferStream(streamOut, streamIn);
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

  /** What the library has not noticed, Kafka's reader may have the room for. */
  private boolean checkWhole(ByteWindow target) {
    frame.look(payload, next, framePlain);
    ambiguous |= frame.dependsOnReader();
    return !frame.isRefusedByKafka(kafkaRoom) || target.fail(Reason.CODEC_DATA_CORRUPT, next);
  }

  /** A frame that is cut and forgiven is no part of the stream. */
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
