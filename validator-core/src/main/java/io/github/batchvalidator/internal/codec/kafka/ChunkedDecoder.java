// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.rule.Limits;

/**
 * A decoder that hands out plain bytes in exactly the portions in which Kafka's readers pull them
 * from the codec: all of a portion or its fault. Slower than the others; where nothing or only one
 * thing is wrong with a stream and its records it tells the same.
 */
abstract class ChunkedDecoder extends PayloadDecoder {
  /** What {@link #read} returns at the end and after a fault. */
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
   * Reads plain bytes.
   *
   * @param target takes them
   * @param most how many to read unless the read ends before, as one of Kafka's does
   * @param window takes note of a fault
   * @return how many, of which {@link #portions} was told; 0 only if they were to go on with a
   *     read, which has ended; {@link #NOTHING} at the end and after a fault
   */
  protected abstract int read(byte[] target, int most, ByteWindow window);

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
