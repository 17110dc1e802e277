// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.codec.CodecFailure;
import io.github.batchvalidator.internal.codec.ReusableResource;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.io.IOException;

/**
 * Compresses plain bytes as Kafka's producer does, into an {@link OutputBuffer}. One instance
 * serves one batch after the other and keeps its contexts and scratch memory between them.
 *
 * <p>Whatever a codec library throws, {@code Error}s included, becomes the output's {@link
 * OutputBuffer#failure()}, and so does an output that may not grow; a failed batch does not harm
 * the next one. Allocates nothing once warm, with the exceptions that {@code docs/performance.md}
 * names. Confined to one thread; {@link #close} frees native memory.
 */
public abstract class Encoder implements ReusableResource {
  private final Codec codec;
  private final OutputBuffer nothing = new OutputBuffer();

  /** Takes the stored bytes. */
  OutputBuffer output = nothing;

  Encoder(Codec codec) {
    this.codec = codec;
  }

  /**
   * Starts a stream of its own behind what was written to the output so far.
   *
   * @param target takes the stored bytes until {@link #release}; it was started before
   * @param level how hard to compress, one that {@link Codec#hasLevel}
   * @param magic of the batch, 0 to 2: the frames of lz4 differ
   */
  public final void open(OutputBuffer target, int level, int magic) {
    output = target;
    if (target.failure() != null) {
      return;
    }
    try {
      start(level, magic);
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /**
   * Compresses bytes. Does nothing once the output has failed, so that a caller may look at it
   * where that suits.
   *
   * @param source holds the bytes, which are read before this returns
   * @param from index of the first
   * @param length how many, at least 0
   */
  public final void write(byte[] source, int from, int length) {
    if (length <= 0 || output.failure() != null) {
      return;
    }
    try {
      encode(source, from, length);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  /**
   * Ends the stream: whatever is still held back is written.
   *
   * @return false if the output has failed
   */
  public final boolean finish() {
    if (output.failure() != null) {
      return false;
    }
    try {
      end();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
    return output.failure() == null;
  }

  private void fail(Throwable cause) {
    Reason why = CodecFailure.reason(cause, Reason.CODEC_ENCODE_FAILED);
    output.fail(why, codec.id(), 0, cause);
  }

  /**
   * Writes the header of the stream, if its codec has one, and gets ready for its bytes, whatever
   * became of the last stream.
   */
  abstract void start(int level, int magic);

  /** Compresses at least one byte; the output has not failed before. */
  abstract void encode(byte[] source, int from, int length) throws IOException;

  /** Ends the stream; the output has not failed before. */
  abstract void end() throws IOException;

  /** Lets go of the output and of memory that only the last batch needed. */
  public void release() {
    output = nothing;
  }

  @Override
  public void close() {
    release();
  }
}
