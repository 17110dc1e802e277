// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import java.util.Arrays;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/** Rebuilds a batch in a separate JVM whose heap has no room for two of its size. */
final class RebuiltWithoutRoom {
  private static final int RECORDS = 31;
  private static final int VALUE_BYTES = 1 << 20;

  private RebuiltWithoutRoom() {}

  /** Needs no arguments. */
  public static void main(String[] arguments) {
    append(RECORDS);
    append(1);
    System.out.println("accepted: " + DropIn.counts().accepted());
    System.out.println("refused: " + DropIn.counts().refused(Reason.LIMIT_REBUILT_BYTES));
  }

  private static void append(int count) {
    SimpleRecord[] records = new SimpleRecord[count];
    Arrays.fill(records, new SimpleRecord(Batches.nowMs(), null, new byte[VALUE_BYTES]));
    LongRef offset = PrimitiveRef.ofLong(7);
    try {
      Validators.of(Batches.of(Codec.ZSTD, records), Codec.ZSTD, Codec.NONE, false)
          .validateMessagesAndAssignOffsets(
              offset, new RecordedMetrics(), BufferSupplier.NO_CACHING);
    } catch (RecordValidationException e) {
      System.out.println(e.invalidException());
    }
    System.out.println("next offset: " + offset.value);
  }
}
