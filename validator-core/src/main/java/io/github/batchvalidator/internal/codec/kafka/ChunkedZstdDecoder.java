// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.DirectBuffers;
import io.github.batchvalidator.internal.codec.zstd.ZstdContext;
import io.github.batchvalidator.internal.codec.zstd.ZstdDecoder;
import io.github.batchvalidator.internal.codec.zstd.ZstdFrame;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.nio.ByteBuffer;

/**
 * A Zstandard decoder with Kafka's portions. zstd-jni's {@code ZstdInputStreamNoFinalizer} calls
 * the library until the output is full, a frame ends or a call produces nothing. It reads its input
 * in pieces of the library's recommended size. The library decodes ahead by one block.
 *
 * <p>Each payload has a new context, as in Kafka. A context that had larger frames before keeps its
 * buffers and then detects some faults later.
 */
public final class ChunkedZstdDecoder extends ChunkedDecoder {
  private final ZstdFrame frame = new ZstdFrame();
  private ByteBuffer in = DirectBuffers.take(ZstdFrame.KAFKA_INPUT_BYTES);
  private ByteBuffer out = DirectBuffers.take(ZstdFrame.KAFKA_READ_BYTES);

  private final ZstdContext context = ZstdContext.create();

  /** For frames that bypass the buffers of Kafka's context, because Kafka has room for them. */
  private final ZstdContext aside = ZstdContext.create();

  private long memoryLimit;
  private long framePlain;
  private long kafkaRoom;
  private boolean isAside;
  private int fed;
  private boolean inputNeeded;
  private boolean frameEndInPiece;
  private boolean betweenFrames;
  private int frameEnd;

  public ChunkedZstdDecoder() {
    super(ZstdFrame.KAFKA_READ_BYTES);
  }

  @Override
  protected void startReads(Limits limits, ByteWindow window) {
    memoryLimit = limits.codecMemoryBytes();
    frame.forget();
    fed = 0;
    inputNeeded = true;
    frameEndInPiece = true;
    betweenFrames = true;
    frameEnd = 0;
    in.position(0).limit(0);
    closeContexts();
    context.reset(window);
  }

  @Override
  protected int read(byte[] target, int max, ByteWindow window) {
    boolean continuesRead = portions.continuesRead();
    // The first call of a continued read completes the call that filled the last portion.
    boolean progress = continuesRead;
    out.clear().limit(max);
    do {
      boolean nothingYet = !continuesRead && out.position() == 0;
      if (inputNeeded && (unfed() > 0 || nothingYet) && !feed()) {
        return atEnd(window);
      }
      int before = out.position();
      if (!step(window)) {
        return NOTHING;
      }
      nothingYet &= out.position() == 0;
      if (!nothingYet && (betweenFrames || (out.position() == before && !progress))) {
        break;
      }
      progress = false;
    } while (out.hasRemaining());
    int bytes = out.position();
    out.get(0, target, 0, bytes);
    portions.took(betweenFrames || bytes < max ? ChunkedReads.THE_LAST : bytes);
    return bytes;
  }

  private int unfed() {
    return payload.length() - fed;
  }

  private boolean feed() {
    int bytes = Math.min(unfed(), ZstdFrame.KAFKA_INPUT_BYTES);
    if (bytes == 0) {
      return false;
    }
    in.clear();
    payload.copyTo(in, fed, bytes);
    in.limit(bytes);
    fed += bytes;
    frameEndInPiece = false;
    return true;
  }

  /** Fails at the end of input, unless a frame ended in the last piece of input, as in Kafka. */
  private int atEnd(ByteWindow window) {
    if (!frameEndInPiece) {
      window.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    return NOTHING;
  }

  /** Calls the library once; returns false after a fault. */
  private boolean step(ByteWindow window) {
    if (!context.isOpen() || (betweenFrames && !startFrame(window))) {
      return false;
    }
    ZstdContext current = isAside ? aside : context;
    int before = out.position();
    try {
      betweenFrames = current.decompressStream(out, in);
    } catch (RuntimeException | Error e) {
      return window.fail(e, Reason.CODEC_DATA_CORRUPT, next, Codec.ZSTD);
    }
    next = fed - in.remaining();
    framePlain += out.position() - before;
    if (betweenFrames) {
      frameEndInPiece = true;
      frameEnd = next;
    }
    inputNeeded = betweenFrames ? !in.hasRemaining() : out.hasRemaining();
    return !betweenFrames || checkWhole(window);
  }

  /** Rejects a whole frame if Kafka's reader has room to decode it at once and rejects it. */
  private boolean checkWhole(ByteWindow window) {
    frame.look(payload, next, framePlain);
    ambiguous |= frame.dependsOnReader();
    return !frame.isRefusedByKafka(kafkaRoom) || window.fail(Reason.CODEC_DATA_CORRUPT, next);
  }

  /** Counts a tolerated truncated frame as bytes after the end of the stream. */
  @Override
  public int bytesBehindEnd() {
    return betweenFrames ? left() : payload.length() - frameEnd;
  }

  private boolean startFrame(ByteWindow window) {
    framePlain = 0;
    kafkaRoom = Math.max(ZstdFrame.KAFKA_READ_BYTES, window.expected());
    long bytes = frame.windowBytes(payload, next);
    isAside = frame.isStreamedForLackOfRoom(payload, out.remaining(), kafkaRoom);
    return ZstdDecoder.checkWindow(bytes, memoryLimit, next, window)
        && (!isAside || aside.reset(window));
  }

  @Override
  public void release() {
    closeContexts();
  }

  @Override
  public long nativeBytes() {
    return (long) ZstdFrame.KAFKA_INPUT_BYTES + ZstdFrame.KAFKA_READ_BYTES;
  }

  @Override
  public void close() {
    closeContexts();
    in = DirectBuffers.give(in);
    out = DirectBuffers.give(out);
  }

  private void closeContexts() {
    aside.close();
    context.close();
  }
}
