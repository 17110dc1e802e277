// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.RecordLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/** Rebuilds an uncompressed off-heap record in a JVM whose heap has no room for that record. */
final class ReadWithoutRoom {
  private static final int VALUE_BYTES = 100 << 20;

  private ReadWithoutRoom() {}

  /** Needs no arguments. */
  public static void main(String[] arguments) {
    try {
      Validators.of(batch(), Codec.NONE, Codec.LZ4, false)
          .validateMessagesAndAssignOffsets(
              PrimitiveRef.ofLong(7), new RecordedMetrics(), BufferSupplier.NO_CACHING);
    } catch (RecordValidationException e) {
      System.out.println(e.invalidException().getClass().getSimpleName());
    }
    System.out.println("refused: " + DropIn.counts().refused(Reason.LIMIT_RECORD_BYTES));
  }

  private static ByteBuffer batch() {
    ByteBuffer small = Batches.of(Codec.NONE, new SimpleRecord(Batches.nowMs(), new byte[0]));
    byte[] number = new byte[RecordLayout.MAX_VARINT_BYTES];
    int sizeBytes = RecordLayout.sizeOfVarint(VALUE_BYTES);
    ByteBuffer batch = ByteBuffer.allocateDirect(VALUE_BYTES + 200);
    batch.put(small.duplicate().limit(BatchLayout.HEADER_BYTES));
    int bodyBytes = 4 + sizeBytes + VALUE_BYTES + 1;
    RecordLayout.putVarint(number, 0, bodyBytes);
    batch.put(number, 0, RecordLayout.sizeOfVarint(bodyBytes));
    batch.put(new byte[] {0, 0, 0, 1}); // attributes, deltas, no key
    RecordLayout.putVarint(number, 0, VALUE_BYTES);
    batch.put(number, 0, sizeBytes);
    batch.position(batch.position() + VALUE_BYTES).put((byte) 0); // no headers
    batch.flip();
    return batch.putInt(BatchLayout.LENGTH_OFFSET, batch.limit() - BatchLayout.LOG_OVERHEAD);
  }
}
