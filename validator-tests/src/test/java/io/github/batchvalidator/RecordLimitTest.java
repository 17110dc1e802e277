// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The limit on one record of a compressed batch, which Kafka has since 4.4. */
class RecordLimitTest {
  /** Attributes, two deltas, key and its size, size of the value, no headers. */
  private static final int BODY_WITHOUT_VALUE = 7;

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validator.close();
  }

  private boolean accepts(ByteBuffer batch, int limit) {
    Policy policy =
        Policy.builder(Origin.COORDINATOR)
            .limits(Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORD_BYTES, limit))
            .build();
    return validator.inspect(batch, policy, Batches.nowMs(), verdict);
  }

  private static RecordBytes record(int valueBytes) {
    return new RecordBytes().value(varint(valueBytes, 1), new byte[valueBytes]);
  }

  private static ByteBuffer batch(Codec codec, RecordBytes record) {
    return Batches.ofPlain(codec, 1, record.toBytes());
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void aBodyMayHaveAsManyBytesAsTheLimit(Codec codec) {
    for (int valueBytes : new int[] {1, 50, 63}) {
      ByteBuffer batch = batch(codec, record(valueBytes));
      int body = BODY_WITHOUT_VALUE + valueBytes;
      assertTrue(accepts(batch, body), () -> codec + ": " + verdict);
      assertEquals(codec == Codec.NONE, accepts(batch, body - 1), "only compressed ones are held");
      if (codec != Codec.NONE) {
        assertEquals(Reason.LIMIT_RECORD_BYTES, verdict.reason());
        assertEquals(body, verdict.firstOperand());
        assertEquals(body - 1, verdict.secondOperand());
        assertEquals(0, verdict.recordIndex());
      }
    }
  }

  /** The one that is declared is refused as in Kafka 4.4, the one that is there in addition. */
  @ParameterizedTest
  @CsvSource({"-5, true", "5, true", "-50, false", "100000000, true"})
  void declaredAndActualBytesAreBothLimited(int declared, boolean largest) {
    RecordBytes record = record(50).length(varint(declared, 1));
    ByteBuffer batch = batch(Codec.LZ4, record);
    assertTrue(accepts(batch, Limits.UNLIMITED), verdict.toString());
    assertEquals(declared + (long) varint(declared, 1).length, verdict.declaredBytes());
    assertEquals(declared >= 0, accepts(batch, Limits.LARGEST_RECORD_BYTES));
    assertEquals(declared < 0 ? Reason.LIMIT_RECORD_BYTES : null, verdict.reason());
    assertEquals(declared == 5 && largest, accepts(batch, BODY_WITHOUT_VALUE + 50));
    assertEquals(false, accepts(batch, BODY_WITHOUT_VALUE + 49));
    assertEquals(Reason.LIMIT_RECORD_BYTES, verdict.reason());
  }

  /** An over-long length is counted as the shortest one that says the same. */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void aDeclaredLengthIsCountedInItsShortestForm(Codec codec) {
    for (int bytes = 1; bytes <= 5; bytes++) {
      for (int valueBytes : new int[] {1, 60, 9000}) {
        int body = record(valueBytes).toBytes().length - varint(valueBytes + 10, 1).length;
        byte[] length = varint(body, bytes);
        ByteBuffer batch = batch(codec, record(valueBytes).length(length));
        assertTrue(accepts(batch, Limits.UNLIMITED), verdict.toString());
        assertNull(verdict.reason());
        assertEquals(body + varint(body, 1).length, verdict.declaredBytes());
        assertEquals(body + length.length, verdict.plainBytes());
      }
    }
  }

  /**
   * A number that leads beyond the limit on headers and does not end is what is wrong with them.
   */
  @ParameterizedTest
  @EnumSource(Codec.class)
  void anEndlessNumberBeyondTheLimitIsReported(Codec codec) {
    byte[] endless = {-1, -1, -1, -1, -1, -1};
    RecordBytes record = record(1).headerCount(varint(1, 1)).headerPart(endless, new byte[20]);
    for (int headerBytes : new int[] {1, 3, 4}) {
      Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.HEADER_BYTES, headerBytes);
      Policy policy = Policy.builder(Origin.COORDINATOR).limits(limits).build();
      assertFalse(validator.inspect(batch(codec, record), policy, Batches.nowMs(), verdict));
      assertEquals(Reason.RECORD_VARINT_TOO_LONG, verdict.reason());
    }
  }

  @Test
  void messagesInACompressedOneAreLimited() {
    ByteBuffer batch =
        LegacyMessage.holding(1, Codec.SNAPPY, LegacyMessage.several(1, 3)).toBuffer();
    int size = LegacyMessage.several(1, 1)[0].toBytes().length - 12;
    assertTrue(accepts(batch, size), verdict.toString());
    assertEquals(3L * (size + 12), verdict.declaredBytes());
    assertEquals(false, accepts(batch, size - 1));
    assertEquals(Reason.LIMIT_RECORD_BYTES, verdict.reason());
    assertTrue(accepts(LegacyMessage.of(1).toBuffer(), 1), "only compressed ones are held");
  }
}
