// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.AbstractLegacyRecordBatch;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/** The fields of a header are those that Kafka reads. */
final class BatchHeaderTest {
  private static final int START = 5;

  @Property(tries = 200)
  void fieldsOfABatch(@ForAll long seed) {
    byte[] bytes = new byte[BatchLayout.HEADER_BYTES];
    new Random(seed).nextBytes(bytes);
    ByteBuffer batch = ByteBuffer.allocate(START + bytes.length);
    batch.put(START, bytes);
    batch.putInt(START + BatchLayout.LENGTH_OFFSET, bytes.length - BatchLayout.LOG_OVERHEAD);
    batch.put(START + BatchLayout.MAGIC_OFFSET, (byte) 2);
    DefaultRecordBatch kafkas =
        (DefaultRecordBatch) only(batch.duplicate().position(START).slice());
    BatchHeader ours = new BatchHeader().read(batch, START);
    assertEquals(START, ours.start());
    assertEquals(kafkas.baseOffset(), ours.baseOffset());
    assertEquals(kafkas.sizeInBytes(), ours.sizeInBytes());
    assertEquals(kafkas.sizeInBytes() - BatchLayout.LOG_OVERHEAD, ours.length());
    assertEquals(kafkas.partitionLeaderEpoch(), ours.partitionLeaderEpoch());
    assertEquals(kafkas.magic(), ours.magic());
    assertEquals((int) kafkas.checksum(), ours.crc());
    assertEquals(kafkas.timestampType() == TimestampType.LOG_APPEND_TIME, ours.isLogAppendTime());
    assertEquals(kafkas.isTransactional(), ours.isTransactional());
    assertEquals(kafkas.isControlBatch(), ours.isControl());
    assertEquals(kafkas.lastOffset(), ours.lastOffset());
    assertEquals(kafkas.lastOffset() - kafkas.baseOffset(), ours.lastOffsetDelta());
    assertEquals(kafkas.baseTimestamp(), ours.baseTimestamp());
    assertEquals(kafkas.maxTimestamp(), ours.maxTimestamp());
    assertEquals(kafkas.producerId(), ours.producerId());
    assertEquals(kafkas.producerEpoch(), ours.producerEpoch());
    assertEquals(kafkas.baseSequence(), ours.baseSequence());
    assertEquals(kafkas.countOrNull(), Integer.valueOf(ours.recordCount()));
  }

  @Property(tries = 200)
  void fieldsOfAMessage(@ForAll long seed) {
    Random random = new Random(seed);
    int magic = random.nextInt(2);
    LegacyMessage message =
        LegacyMessage.of(magic)
            .offset(random.nextLong())
            .attributes(random.nextInt(16) & ~BatchLayout.CODEC_MASK)
            .key(random.nextBoolean() ? null : new byte[random.nextInt(9)])
            .value(random.nextBoolean() ? null : new byte[random.nextInt(9)]);
    byte[] bytes = message.timestamp(random.nextLong() >>> 1).toBytes();
    ByteBuffer batch = ByteBuffer.allocate(START + bytes.length);
    batch.put(START, bytes);
    AbstractLegacyRecordBatch kafkas =
        (AbstractLegacyRecordBatch) only(batch.duplicate().position(START).slice());
    LegacyHeader ours = new LegacyHeader().read(batch, START);
    assertEquals(kafkas.lastOffset(), ours.offset());
    assertEquals(kafkas.sizeInBytes(), ours.sizeInBytes());
    assertEquals((int) kafkas.checksum(), ours.crc());
    assertEquals(kafkas.magic(), ours.magic());
    assertEquals(Codec.NONE.id(), ours.codecId());
    assertEquals(kafkas.timestampType() == TimestampType.LOG_APPEND_TIME, ours.isLogAppendTime());
    assertEquals(kafkas.timestamp(), ours.timestamp());
    assertEquals(kafkas.keySize(), ours.keySize());
    assertEquals(kafkas.valueSize(), ours.valueSize());
    assertEquals(bytes.length, ours.fieldsEnd());
  }

  private static MutableRecordBatch only(ByteBuffer buffer) {
    return MemoryRecords.readableRecords(buffer).batches().iterator().next();
  }
}
