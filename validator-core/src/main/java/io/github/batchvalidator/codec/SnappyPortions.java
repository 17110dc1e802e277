// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;

/**
 * Snappy in Kafka's portions: xerial's {@code SnappyInputStream} fills a read completely, block
 * after block, so that a fault of a block takes along what lies in front of it in the same portion.
 */
final class SnappyPortions extends PortionDecoder {
  /** What Kafka reads at a time. */
  static final int CHUNK_BYTES = 2 * 1024;

  private final SnappyDecoder blocks = new SnappyDecoder(Integer.MAX_VALUE);
  private final ByteWindow plain = new ByteWindow();

  SnappyPortions() {
    super(CHUNK_BYTES);
  }

  @Override
  void startReads(Limits limits, ByteWindow window) {
    blocks.open(payload, limits.withPlainBytes(Long.MAX_VALUE), plain);
    passOn(window);
  }

  @Override
  int read(byte[] target, int most, ByteWindow window) {
    int done = 0;
    while (done < most && plain.refill()) {
      int step = Math.min(most - done, plain.available());
      System.arraycopy(plain.array(), plain.position(), target, done, step);
      plain.position(plain.position() + step);
      done += step;
    }
    next = blocks.inputPosition();
    portions.took(done == most ? done : Portions.THE_LAST);
    return passOn(window) && done > 0 ? done : NOTHING;
  }

  /** Hands on a fault of the blocks; returns false if there is one. */
  private boolean passOn(ByteWindow window) {
    Reason why = plain.failure();
    return why == null
        || window.fail(
            why, plain.inputPosition(), plain.failureFirst(), plain.failureSecond());
  }

  @Override
  public void release() {
    blocks.release();
    plain.clear();
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
