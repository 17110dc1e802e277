// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The reported position of a fault in a batch that cannot be read to its end. */
final class FaultLocatorTest {
  private static final Policy CLIENT =
      Policy.builder(Origin.CLIENT).checkedByHost(true).timestampWindowMs(10, 10).build();

  /** The position of the value in a message of magic 1 without a key. */
  private static final int VALUE_AT = 34;

  /** The end mark is read only after everything before it. */
  private static final int LZ4_END_MARK_BYTES = 4;

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validator.close();
  }

  private void refuse(Reason reason, ByteBuffer batch, long now) {
    assertFalse(validator.inspect(batch, CLIENT, now, verdict));
    assertEquals(reason, verdict.reason());
  }

  private static byte[] records(int count, int odd, RecordBytes oddOne) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      RecordBytes record = i == odd ? oddOne : new RecordBytes();
      plain.writeBytes(record.offsetDelta(RecordBytes.varint(i, 1)).toBytes());
    }
    return plain.toByteArray();
  }

  @Test
  void aRecordThatCannotBeReadIsWhereReadingEnded() {
    int one = new RecordBytes().toBytes().length;
    byte[] plain = records(3, 1, new RecordBytes().lengthError(1));
    refuse(Reason.RECORD_LENGTH_MISMATCH, Batches.ofPlain(Codec.NONE, 3, plain), Batches.nowMs());
    assertEquals(BatchLayout.HEADER_BYTES + 2 * one, verdict.position());
    assertEquals(1, verdict.recordIndex());
    byte[] endless = {-1, -1, -1, -1, -1};
    plain = records(3, 1, new RecordBytes().key(endless, new byte[1]));
    ByteBuffer batch = Batches.ofPlain(Codec.LZ4, 3, plain);
    refuse(Reason.RECORD_VARINT_TOO_LONG, batch, Batches.nowMs());
    assertEquals(batch.limit() - LZ4_END_MARK_BYTES, verdict.position());
    assertEquals(1, verdict.recordIndex());
  }

  @Test
  void aMessageThatCannotBeReadIsWhereReadingEnded() {
    byte[] plain = LegacyMessage.join(LegacyMessage.several(1, 2));
    ByteBuffer.wrap(plain).putInt(plain.length / 2 + BatchLayout.LENGTH_OFFSET, 1);
    ByteBuffer batch = LegacyMessage.holdingPlain(1, Codec.LZ4, plain).offset(1).toBuffer();
    refuse(Reason.RECORD_SIZE_TOO_SMALL, batch, Batches.nowMs());
    assertEquals(batch.limit() - LZ4_END_MARK_BYTES, verdict.position());
    assertEquals(1, verdict.recordIndex());
  }

  /** Kafka looks past the last record before it checks that record. */
  @Test
  void theLastRecordIsNotCheckedIfBytesFollowIt() {
    long tooLate = Batches.nowMs() + 11;
    for (Codec codec : Codec.values()) {
      byte[] plain = records(3, 3, new RecordBytes());
      for (int declared = 1; declared <= 2; declared++) {
        refuse(Reason.PAYLOAD_BYTES_LEFT, Batches.ofPlain(codec, declared, plain), tooLate);
        assertEquals(declared - 1, verdict.failureTotal());
      }
    }
  }

  @Test
  void aFaultInACompressedMessageIsAtItsValue() {
    LegacyHeader outer = new LegacyHeader();
    for (Codec codec : new Codec[] {Codec.NONE, Codec.GZIP}) {
      outer.read(LegacyMessage.holding(1, codec, LegacyMessage.several(1, 2)).toBuffer(), 0);
      verdict.refuse(Reason.RECORD_COMPRESSED, 0, 1, 0);
      assertFalse(FaultLocator.ofMessage(new LegacyMessageIterator(), outer, verdict));
      assertEquals(codec == Codec.NONE ? 0 : VALUE_AT, verdict.position());
    }
  }
}
