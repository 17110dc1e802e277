// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.codec.CodecFailure;
import io.github.batchvalidator.internal.codec.ReusableResource;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.io.IOException;

/**
 * An encoder that compresses plain bytes into an {@link OutputBuffer}, as Kafka's producer does.
 * One instance serves many batches in turn and keeps its contexts and scratch memory.
 *
 * <p>Every exception or {@code Error} of a codec library, and a full output, becomes the output's
 * {@link OutputBuffer#failure()}. A failed batch does not affect the next one. Allocates nothing
 * once warm, except as listed in {@code docs/how-it-works.md}. Confined to one thread; {@link
 * #close} frees native memory.
 */
public abstract class Encoder implements ReusableResource {
  private final Codec codec;
  private final OutputBuffer nothing = new OutputBuffer();

  /** The output for the stored bytes. */
  OutputBuffer output = nothing;

  Encoder(Codec codec) {
    this.codec = codec;
  }

  /** Returns whether the plain bytes are the stored bytes. */
  final boolean isPlain() {
    return codec == Codec.NONE;
  }

  /**
   * Starts a new stream after the bytes that the output already contains.
   *
   * @param target takes the stored bytes until {@link #release}; already started
   * @param level the compression level, allowed by {@link Codec#hasLevel}
   * @param magic of the batch, 0 to 2, because lz4 frames differ
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
   * Compresses bytes. Does nothing once the output has failed, so that a caller may check later.
   *
   * @param source contains the bytes, which are read before this method returns
   * @param from index of the first byte
   * @param length how many bytes; nothing is written if negative, as for null
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
   * Ends the stream and writes all bytes that are still held back.
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
   * Writes the header of the stream, if the codec has one, and prepares for its bytes. The last
   * stream may have been left in any state.
   */
  abstract void start(int level, int magic);

  /** Compresses at least one byte. Not called once the output has failed. */
  abstract void encode(byte[] source, int from, int length) throws IOException;

  /** Ends the stream. Not called once the output has failed. */
  abstract void end() throws IOException;

  /** Releases the output, and memory that only the last batch needed. */
  public void release() {
    output = nothing;
  }

  @Override
  public void close() {
    release();
  }
}
