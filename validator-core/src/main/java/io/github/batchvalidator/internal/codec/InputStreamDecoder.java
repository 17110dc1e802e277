// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the scan over any decompression stream that a host already has, through the fixed {@link
 * SkipBuffer}.
 *
 * <p>The stream belongs to the caller, who closes it. Whatever it throws becomes a fault.
 */
public final class InputStreamDecoder extends Decoder {
  private final byte[] buffer = SkipBuffer.create();
  private @Nullable InputStream stream;

  /** Creates the buffer. */
  public InputStreamDecoder() {}

  /**
   * Starts a stream.
   *
   * @param input plain bytes from its current position on
   * @param window gets connected
   * @param plainBytesLimit how many bytes may be read of it
   */
  public void open(InputStream input, ByteWindow window, long plainBytesLimit) {
    stream = input;
    window.connect(this, plainBytesLimit);
  }

  @Override
  protected boolean refill(ByteWindow window) {
    InputStream input = stream;
    if (input == null) {
      return false;
    }
    try {
      int bytes = input.read(buffer, 0, buffer.length);
      if (bytes == 0) { // which a stream may not and some do
        bytes = readOne(input);
      }
      if (bytes > buffer.length) { // nor this
        return window.fail(Reason.CODEC_DATA_CORRUPT, inputPosition());
      }
      return bytes > 0 && window.expose(buffer, 0, bytes);
    } catch (IOException | RuntimeException | Error e) {
      return window.fail(e, Reason.CODEC_DATA_CORRUPT, inputPosition(), Codec.NONE);
    }
  }

  private int readOne(InputStream input) throws IOException {
    int value = input.read();
    buffer[0] = (byte) value;
    return value < 0 ? -1 : 1;
  }

  /** {@return 0: only the stream knows how far it has read} */
  @Override
  public int inputPosition() {
    return 0;
  }

  @Override
  public void release() {
    stream = null;
  }

  @Override
  public long heapBytes() {
    return buffer.length;
  }

  @Override
  public long nativeBytes() {
    return 0;
  }

  @Override
  public void close() {
    release();
  }
}
