// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A verdict keeps what a codec library threw, until the next inspection. */
class CodecCauseTest {
  private final MutableVerdict verdict = new MutableVerdict();

  static List<CodecFault> faults() {
    return CodecFault.all();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void anInspectionKeepsTheCause(CodecFault fault) {
    try (BatchValidator validator = new BatchValidator()) {
      inspect(validator, fault);
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void theNextInspectionDropsTheCause(CodecFault fault) {
    try (BatchValidator validator = KafkaReads.validator()) {
      inspect(validator, fault);
    }
  }

  private void inspect(BatchValidator validator, CodecFault fault) {
    assertFalse(validator.inspect(fault.batch(), Policy.STORED, Batches.nowMs(), verdict));
    assertCause(fault);
    assertTrue(validator.inspect(sound(fault.codec()), Policy.STORED, Batches.nowMs(), verdict));
    assertNull(verdict.cause());
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aRebuildKeepsTheCause(CodecFault fault) {
    try (BatchRebuilder rebuilder = new BatchRebuilder()) {
      assertFalse(rebuild(rebuilder, fault.batch()));
      assertCause(fault);
      assertTrue(rebuild(rebuilder, sound(fault.codec())));
      assertNull(verdict.cause());
    }
  }

  private boolean rebuild(BatchRebuilder rebuilder, ByteBuffer source) {
    Policy policy = Batches.storing(Policy.STORED, Codec.NONE);
    return rebuilder.rebuild(source, policy, Batches.nowMs(), verdict);
  }

  private void assertCause(CodecFault fault) {
    assertEquals(fault.reason(), verdict.reason());
    if (fault.byLibrary()) {
      Throwable cause = verdict.cause();
      assertNotNull(cause);
      assertFalse(String.valueOf(cause.getMessage()).isBlank(), cause::toString);
    } else {
      assertNull(verdict.cause());
    }
  }

  private static ByteBuffer sound(Codec codec) {
    return Batches.of(codec, new SimpleRecord(Batches.nowMs(), new byte[100]));
  }
}
