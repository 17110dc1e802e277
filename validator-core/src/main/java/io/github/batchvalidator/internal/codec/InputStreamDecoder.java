// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A decoder that reads any decompression stream of a host through the fixed {@link SkipBuffer}.
 *
 * <p>The caller owns and closes the stream. Every exception and {@code Error} of the stream becomes
 * a fault.
 */
public final class InputStreamDecoder extends Decoder {
  private final byte[] buffer = SkipBuffer.create();
  private @Nullable InputStream stream;

  public InputStreamDecoder() {}

  /**
   * Opens a stream.
   *
   * @param input the stream of plain bytes, read from its current position
   * @param window the window to connect
   * @param plainBytesLimit the maximum number of plain bytes
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
      if (bytes == 0) { // InputStream forbids this result, but some streams return it
        bytes = readOne(input);
      }
      if (bytes > buffer.length) { // InputStream forbids this, too
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

  /** {@return 0, because the position in the compressed input is unknown} */
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
