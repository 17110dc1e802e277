// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;

/** Accepts batches and then refuses some, in a separate JVM that logs initialized classes. */
final class FirstRefusal {
  static final String ACCEPTED = "all was accepted so far";
  static final String REFUSED = "and all was refused since";

  private FirstRefusal() {}

  /** Needs no arguments. */
  public static void main(String[] arguments) {
    append(good(), false);
    System.out.println(ACCEPTED);
    refuse(ByteBuffer.allocate(100), false);
    refuse(good(), true);
    System.out.println(REFUSED);
  }

  /** Returns a batch of a record without a key. */
  private static ByteBuffer good() {
    return Batches.ofPlain(
        Codec.NONE, 1, new RecordBytes().key(RecordBytes.varint(-1, 1), new byte[0]).toBytes());
  }

  private static void append(ByteBuffer records, boolean compactedTopic) {
    Validators.of(records, Codec.NONE, Codec.NONE, compactedTopic)
        .validateMessagesAndAssignOffsets(
            PrimitiveRef.ofLong(7), new RecordedMetrics(), BufferSupplier.NO_CACHING);
  }

  private static void refuse(ByteBuffer records, boolean compactedTopic) {
    try {
      append(records, compactedTopic);
    } catch (RuntimeException e) {
      return;
    }
    throw new IllegalStateException("accepted");
  }
}
