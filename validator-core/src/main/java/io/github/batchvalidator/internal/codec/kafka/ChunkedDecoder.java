// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.rule.Limits;

/**
 * A decoder that hands out plain bytes in exactly the portions that Kafka's readers pull from the
 * codec. A portion is complete or fails as a whole.
 *
 * <p>Slower than other decoders. Gives the same result for input with at most one fault.
 */
abstract class ChunkedDecoder extends PayloadDecoder {
  /** Returned by {@link #read} at the end and after a fault. */
  static final int NOTHING = -1;

  final ChunkedReads portions;
  private final byte[] chunk;

  ChunkedDecoder(int chunkBytes) {
    chunk = new byte[chunkBytes];
    portions = new ChunkedReads(chunkBytes);
  }

  @Override
  protected final void start(Limits limits, ByteWindow window) {
    portions.start();
    startReads(limits, window);
  }

  /** Checks the header of the stream. */
  protected abstract void startReads(Limits limits, ByteWindow window);

  /**
   * Reads plain bytes and reports their number to {@link #portions}.
   *
   * @param target receives the bytes
   * @param max the maximum number of bytes; the read may end earlier, as in Kafka
   * @param window records a fault
   * @return the number of bytes; 0 only if a continued read has ended; {@link #NOTHING} at the end
   *     and after a fault
   */
  protected abstract int read(byte[] target, int max, ByteWindow window);

  @Override
  protected final boolean refill(ByteWindow window) {
    int bytes;
    do {
      bytes = read(chunk, portions.next(window), window);
    } while (bytes == 0);
    return bytes > 0 && window.expose(chunk, 0, bytes);
  }

  @Override
  public long heapBytes() {
    return chunk.length;
  }
}
