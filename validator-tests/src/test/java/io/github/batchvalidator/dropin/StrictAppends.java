// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;

/**
 * Prints the results for batches that Kafka accepts. Runs in a separate JVM, where {@code
 * LogValidator} is that of the drop-in jar and system properties are its settings.
 */
public final class StrictAppends {
  /** The start of each printed line. */
  public static final String MARK = "APPEND ";

  private StrictAppends() {}

  /** Needs no arguments. */
  public static void main(String[] arguments) {
    append("honest", batch(Codec.LZ4, new RecordBytes()), Codec.LZ4);
    append("in place", batch(Codec.LZ4, new RecordBytes().lengthError(1)), Codec.LZ4);
    append("plain", batch(Codec.NONE, new RecordBytes().attributes(1)), Codec.NONE);
    append("rebuilt", batch(Codec.NONE, new RecordBytes().attributes(1)), Codec.LZ4);
    append("renumbered", withOffsetsOutOfTurn(), Codec.ZSTD);
    append("refused", batch(Codec.LZ4, new RecordBytes().headerCount(new byte[] {1})), Codec.LZ4);
    print("untrue", DropIn.counts().found(Reason.RECORD_LENGTH_UNTRUE));
    print("reserved", DropIn.counts().found(Reason.RECORD_ATTRIBUTES_RESERVED));
    print("out of turn", DropIn.counts().found(Reason.RECORD_OFFSET_NOT_SEQUENTIAL));
  }

  private static ByteBuffer withOffsetsOutOfTurn() {
    byte[] second = new RecordBytes().offsetDelta(RecordBytes.varint(1, 1)).toBytes();
    ByteBuffer both = ByteBuffer.allocate(2 * second.length).put(second).put(second);
    return Batches.ofPlain(Codec.LZ4, 2, both.array());
  }

  private static ByteBuffer batch(Codec codec, RecordBytes record) {
    return Batches.ofPlain(codec, 1, record.toBytes());
  }

  private static void print(String what, Object value) {
    System.out.println(MARK + what + ": " + value);
  }

  private static void append(String what, ByteBuffer batch, Codec target) {
    MemoryRecords records = MemoryRecords.readableRecords(batch);
    RecordedMetrics metrics = new RecordedMetrics();
    LongRef offset = PrimitiveRef.ofLong(7);
    try {
      AppendSettings.DEFAULTS
          .validator(
              records,
              records.batches().iterator().next().compressionType(),
              Batches.compression(target))
          .validateMessagesAndAssignOffsets(offset, metrics, BufferSupplier.NO_CACHING);
      print(what, "accepted, next offset " + offset.value);
    } catch (RuntimeException e) {
      print(what, e.getClass().getSimpleName() + " " + metrics.called());
    }
  }
}
