// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** A batch that is refused for its framing or its header, and the policy that does so. */
record HeaderFault(ByteBuffer batch, Policy policy) {
  private static final Policy NO_BYTES = Policy.builder(Origin.CLIENT).maxBatchBytes(0).build();
  private static final Policy OLD_LOG =
      Policy.builder(Origin.CLIENT).target(Target.PRODUCER.withMagic((byte) 1)).build();
  private static final byte UNKNOWN_MAGIC = 3;
  private static final byte OLD_MAGIC = 1;
  private static final short CONTROL = 0x20;
  private static final short LOG_APPEND_TIME = 0x08;
  private static final short TRANSACTIONAL = 0x10;
  private static final short DELETE_HORIZON = 0x40;
  private static final short UNKNOWN_BIT = 0x80;
  private static final short CODEC_SEVEN = 7;

  /** Returns a batch that is refused for this reason, or null if that is not a header's. */
  static @Nullable HeaderFault of(Reason reason) {
    ByteBuffer batch = Batches.of(Codec.NONE, new SimpleRecord(Batches.nowMs(), new byte[9]));
    return switch (reason) {
      case FRAMING_INCOMPLETE -> client(batch.limit(10));
      case FRAMING_LENGTH_TOO_SMALL -> client(batch.putInt(BatchLayout.LENGTH_OFFSET, 13));
      case FRAMING_LENGTH_OVERFLOW ->
          client(batch.putInt(BatchLayout.LENGTH_OFFSET, Integer.MAX_VALUE));
      case FRAMING_MAGIC_UNKNOWN -> client(batch.put(BatchLayout.MAGIC_OFFSET, UNKNOWN_MAGIC));
      case BATCH_MAGIC_UNSUPPORTED -> client(batch.put(BatchLayout.MAGIC_OFFSET, OLD_MAGIC));
      case BATCH_HEADER_INCOMPLETE -> client(batch.putInt(BatchLayout.LENGTH_OFFSET, 14));
      case BATCH_BASE_OFFSET_NOT_ZERO -> client(batch.putLong(BatchLayout.BASE_OFFSET_OFFSET, 1));
      case BATCH_TOO_LARGE -> new HeaderFault(batch, NO_BYTES);
      case BATCH_CRC_MISMATCH -> client(batch.putInt(BatchLayout.CRC_OFFSET, 1));
      case BATCH_NOT_ALONE -> client(twice(batch));
      case BATCH_OFFSET_RANGE_INVALID ->
          resealed(batch.putInt(BatchLayout.LAST_OFFSET_DELTA_OFFSET, -1));
      case BATCH_COUNT_NOT_POSITIVE -> resealed(batch.putInt(BatchLayout.RECORD_COUNT_OFFSET, 0));
      case BATCH_COUNT_MISMATCH -> resealed(batch.putInt(BatchLayout.RECORD_COUNT_OFFSET, 2));
      case BATCH_CONTROL_NOT_ALLOWED ->
          resealed(batch.putShort(BatchLayout.ATTRIBUTES_OFFSET, CONTROL));
      case BATCH_SEQUENCE_INVALID -> resealed(batch.putLong(BatchLayout.PRODUCER_ID_OFFSET, 5));
      case BATCH_TRANSACTIONAL_UNSUPPORTED ->
          new HeaderFault(
              Batches.fixCrc(batch.putShort(BatchLayout.ATTRIBUTES_OFFSET, TRANSACTIONAL)),
              OLD_LOG);
      case BATCH_IDEMPOTENT_UNSUPPORTED ->
          new HeaderFault(
              Batches.fixCrc(
                  batch
                      .putLong(BatchLayout.PRODUCER_ID_OFFSET, 5)
                      .putInt(BatchLayout.BASE_SEQUENCE_OFFSET, 0)),
              OLD_LOG);
      case BATCH_CODEC_UNKNOWN ->
          resealed(batch.putShort(BatchLayout.ATTRIBUTES_OFFSET, CODEC_SEVEN));
      case BATCH_CODEC_UNSUPPORTED -> coordinator(LegacyMessage.of(1).attributes(4));
      case BATCH_FIELD_BEYOND_END ->
          coordinator(LegacyMessage.of(0).attributes(1).valueSizeError(1));
      case BATCH_VALUE_MISSING -> coordinator(LegacyMessage.of(1).attributes(1).value(null));
      case BATCH_MAX_TIMESTAMP_MISMATCH ->
          new HeaderFault(
              Batches.fixCrc(batch.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, 0)), Policy.STORED);
      case BATCH_ATTRIBUTES_RESERVED ->
          strict(batch.putShort(BatchLayout.ATTRIBUTES_OFFSET, UNKNOWN_BIT));
      case BATCH_DELETE_HORIZON_NOT_ALLOWED ->
          strict(batch.putShort(BatchLayout.ATTRIBUTES_OFFSET, DELETE_HORIZON));
      case BATCH_LOG_APPEND_TIME_NOT_ALLOWED ->
          strict(batch.putShort(BatchLayout.ATTRIBUTES_OFFSET, LOG_APPEND_TIME));
      case BATCH_LAST_OFFSET_DELTA_WRONG ->
          new HeaderFault(
              Batches.fixCrc(batch.putInt(BatchLayout.LAST_OFFSET_DELTA_OFFSET, 1)),
              Policy.builder(Origin.COORDINATOR).level(Level.STRICT).build());
      case BATCH_MAX_TIMESTAMP_WRONG -> strict(batch.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, 0));
      default -> null;
    };
  }

  private static HeaderFault strict(ByteBuffer batch) {
    return new HeaderFault(
        Batches.fixCrc(batch), Policy.builder(Origin.CLIENT).level(Level.STRICT).build());
  }

  private static HeaderFault client(ByteBuffer batch) {
    return new HeaderFault(batch, Policy.CLIENT);
  }

  private static HeaderFault coordinator(LegacyMessage message) {
    return new HeaderFault(message.toBuffer(), Policy.builder(Origin.COORDINATOR).build());
  }

  private static HeaderFault resealed(ByteBuffer batch) {
    return client(Batches.fixCrc(batch));
  }

  private static ByteBuffer twice(ByteBuffer batch) {
    return ByteBuffer.allocate(2 * batch.remaining())
        .put(batch.duplicate())
        .put(batch.duplicate())
        .flip();
  }
}
