// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.workload.Fault;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What {@code RejectedBatch} judges has the fault that it says, and is refused for that. */
class RefusingContenderTest {
  private static final int RECORDS = 125;
  private static final long MOST_PLAIN_BYTES = Fault.BOMB_BYTES / 4;

  @ParameterizedTest
  @EnumSource(value = Codec.class, mode = Mode.EXCLUDE, names = "NONE")
  void aBatchWithoutFaultIsAccepted(Codec codec) {
    assertTrue(core(codec, Fault.NOTHING).accepted());
    assertInstanceOf(ValidationResult.class, kafka(codec, Fault.NOTHING));
  }

  @ParameterizedTest
  @EnumSource(value = Codec.class, mode = Mode.EXCLUDE, names = "NONE")
  void theFirstRecordIsBad(Codec codec) {
    assertRefusedAtRecord(0, core(codec, Fault.FIRST_RECORD));
    assertInstanceOf(InvalidRecordException.class, kafka(codec, Fault.FIRST_RECORD));
  }

  @ParameterizedTest
  @EnumSource(value = Codec.class, mode = Mode.EXCLUDE, names = "NONE")
  void theLastRecordIsBad(Codec codec) {
    assertRefusedAtRecord(RECORDS - 1, core(codec, Fault.LAST_RECORD));
    assertInstanceOf(InvalidRecordException.class, kafka(codec, Fault.LAST_RECORD));
  }

  private static void assertRefusedAtRecord(int index, Verdict verdict) {
    assertEquals(Reason.RECORD_HEADER_COUNT_INVALID, verdict.reason(), verdict::toString);
    assertEquals(index, verdict.recordIndex());
    assertEquals(-1, verdict.firstOperand());
  }

  @ParameterizedTest
  @EnumSource(value = Codec.class, mode = Mode.EXCLUDE, names = "NONE")
  void garbageIsRefused(Codec codec) {
    Verdict verdict = core(codec, Fault.GARBAGE);
    assertFalse(verdict.accepted());
    assertInstanceOf(RuntimeException.class, kafka(codec, Fault.GARBAGE));
  }

  @ParameterizedTest
  @EnumSource(value = Codec.class, mode = Mode.EXCLUDE, names = "NONE")
  void aBombIsRefusedAtTheLimitAndKafkaKnowsNone(Codec codec) {
    Verdict verdict = core(codec, Fault.BOMB);
    assertEquals(Reason.LIMIT_PLAIN_BYTES, verdict.reason(), verdict::toString);
    assertInstanceOf(ValidationResult.class, kafka(codec, Fault.BOMB));
  }

  private static Verdict core(Codec codec, Fault fault) {
    return (Verdict) second(RefusingContender.CORE, codec, fault);
  }

  private static Object kafka(Codec codec, Fault fault) {
    return second(RefusingContender.KAFKA_LOG_VALIDATOR, codec, fault);
  }

  /** The answer to a batch that was judged before. */
  private static Object second(RefusingContender contender, Codec codec, Fault fault) {
    Workload workload = Workload.json(codec, RECORDS, 1024);
    try (Body body = contender.open(MOST_PLAIN_BYTES, fault.batches(workload, 1))) {
      body.run();
      return body.run();
    }
  }
}
