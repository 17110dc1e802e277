// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.snappy.SnappyDecoder;
import io.github.batchvalidator.rule.Limits;

/**
 * A Snappy decoder with Kafka's portions. Xerial's {@code SnappyInputStream} fills each read
 * completely, block after block. A fault of a block therefore also discards the bytes before it in
 * the same portion.
 */
public final class ChunkedSnappyDecoder extends ChunkedDecoder {
  /** Number of plain bytes that Kafka reads at a time. */
  public static final int CHUNK_BYTES = 2 * 1024;

  private final SnappyDecoder blocks = new SnappyDecoder(Integer.MAX_VALUE, true);
  private final ByteWindow head = new ByteWindow();

  public ChunkedSnappyDecoder() {
    super(CHUNK_BYTES);
  }

  @Override
  protected void startReads(Limits limits, ByteWindow window) {
    blocks.open(payload, limits, head);
    window.failAs(head);
  }

  @Override
  protected int read(byte[] target, int max, ByteWindow window) {
    int done = blocks.take(target, 0, max);
    while (done < max && nextBlock(done, window)) {
      done += blocks.take(target, done, max - done);
    }
    next = blocks.inputPosition();
    ambiguous = blocks.isAmbiguous();
    portions.took(done == max ? done : ChunkedReads.THE_LAST);
    return done > 0 && window.failure() == null ? done : NOTHING;
  }

  /**
   * Decodes the next block. A damaged header ends a portion, but not an empty one, which would mean
   * the end.
   */
  private boolean nextBlock(int done, ByteWindow window) {
    return blocks.nextBlock(window)
        || (done == 0 && window.failure() == null && blocks.isHeaderDamaged());
  }

  @Override
  public void release() {
    blocks.release();
    head.clear();
  }

  @Override
  public long heapBytes() {
    return super.heapBytes() + blocks.heapBytes();
  }

  @Override
  public long nativeBytes() {
    return blocks.nativeBytes();
  }

  @Override
  public void close() {
    blocks.close();
  }
}
