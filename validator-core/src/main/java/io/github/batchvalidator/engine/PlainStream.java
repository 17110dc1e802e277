// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.engine;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The decompressed bytes of a payload, to compare with those of another. Reused for every payload.
 * Confined to one thread.
 */
public final class PlainStream implements AutoCloseable {
  private final PayloadReader reader = new PayloadReader(WindowDecoders.fastest());
  private final MutableVerdict ignored = new MutableVerdict(0);

  /** Creates a stream without a payload. Decoders are created on first use. */
  public PlainStream() {}

  /**
   * Opens the payload of a batch.
   *
   * @param codec the codec of the payload
   * @param batch the bytes of the batch; valid until {@link #release}
   * @param at the index of the payload, which ends at the limit
   * @param magic the magic of the batch
   * @return false if the codec is unavailable
   */
  public boolean open(Codec codec, ByteBuffer batch, int at, byte magic) {
    StreamChecks checks = StreamChecks.of(magic, false);
    return reader
        .select(batch, at, batch.limit() - at)
        .open(codec, Limits.UNBOUNDED_AS_KAFKA, checks, ignored);
  }

  /**
   * Reads both streams up to their first difference.
   *
   * @param other opened, too
   * @return true if both are readable and have the same bytes
   */
  public boolean hasSameBytes(PlainStream other) {
    ByteWindow one = reader.window();
    ByteWindow two = other.reader.window();
    while (one.refill()) {
      if (!two.refill()) {
        return false;
      }
      int count = Math.min(one.available(), two.available());
      int from = one.position();
      int at = two.position();
      if (!Arrays.equals(one.array(), from, from + count, two.array(), at, at + count)) {
        return false;
      }
      one.position(from + count);
      two.position(at + count);
    }
    return !two.refill() && one.failure() == null && two.failure() == null;
  }

  /** Drops all references to the batch. */
  public void release() {
    reader.release();
  }

  @Override
  public void close() {
    reader.close();
  }
}
