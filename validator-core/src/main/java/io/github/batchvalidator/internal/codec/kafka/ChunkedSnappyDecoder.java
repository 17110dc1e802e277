// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.snappy.SnappyDecoder;
import io.github.batchvalidator.rule.Limits;

/**
 * Snappy in Kafka's portions: xerial's {@code SnappyInputStream} fills a read completely, block
 * after block, so that a fault of a block takes along what lies in front of it in the same portion.
 */
public final class ChunkedSnappyDecoder extends ChunkedDecoder {
  /** What Kafka reads at a time. */
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
  protected int read(byte[] target, int most, ByteWindow window) {
    int done = blocks.take(target, 0, most);
    while (done < most && goOn(done, window)) {
      done += blocks.take(target, done, most - done);
    }
    next = blocks.inputPosition();
    ambiguous = blocks.isAmbiguous();
    portions.took(done == most ? done : ChunkedReads.THE_LAST);
    return done > 0 && window.failure() == null ? done : NOTHING;
  }

  /** A damaged header ends a portion, but an empty one would be taken for the end. */
  private boolean goOn(int done, ByteWindow window) {
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
