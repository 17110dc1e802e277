// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableFindings;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationCounts;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The findings of a batch with several faults, and which of them the verdict has as its reason. */
class FindingsTest {
  private static final Policy STRICT = Policy.builder(Origin.CLIENT).level(Level.STRICT).build();
  private static final Policy OBSERVING = Policy.builder(Origin.CLIENT).observing(true).build();

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();
  private final MutableFindings findings = verdict.findings();

  @AfterEach
  void close() {
    validator.close();
  }

  /** Reserved bits, two records with attributes, the second with a wrong length too. */
  private static ByteBuffer manyFaults() {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    plain.writeBytes(new RecordBytes().toBytes());
    for (int i = 1; i < 3; i++) {
      plain.writeBytes(
          new RecordBytes()
              .offsetDelta(RecordBytes.varint(i, 1))
              .attributes(5 + i)
              .lengthError(i - 1)
              .toBytes());
    }
    ByteBuffer batch = Batches.ofPlain(Codec.LZ4, 3, plain.toByteArray());
    HeaderField.MAX_TIMESTAMP.set(batch, 0);
    return Batches.fixCrc(HeaderField.ATTRIBUTES.set(batch, 0x8003));
  }

  @Test
  void observingFindsAllFaults() {
    assertTrue(validator.inspect(manyFaults(), OBSERVING, Batches.nowMs(), verdict));
    assertNull(verdict.reason());
    assertEquals(4, findings.count());
    assertEquals(Reason.BATCH_ATTRIBUTES_RESERVED, findings.reason(0));
    assertEquals(Reason.RECORD_ATTRIBUTES_RESERVED, findings.reason(1));
    assertEquals(Reason.RECORD_LENGTH_UNTRUE, findings.reason(2));
    assertEquals(Reason.BATCH_MAX_TIMESTAMP_WRONG, findings.reason(3));
    assertEquals(Verdict.NO_RECORD, findings.recordIndex(0));
    assertEquals(0, findings.position(0));
    assertEquals(-1, findings.plainPosition(0));
    assertEquals(1, findings.recordIndex(1));
    assertEquals(2, findings.total(1));
    assertEquals(BatchLayout.HEADER_BYTES, findings.position(1));
    assertEquals(2, findings.recordIndex(2));
    assertEquals(2 * findings.plainPosition(1), findings.plainPosition(2));
    assertEquals(
        "BATCH_ATTRIBUTES_RESERVED: attributes 8003 have bits set without a meaning; "
            + "RECORD_ATTRIBUTES_RESERVED: the attributes of the record are 6; "
            + "RECORD_LENGTH_UNTRUE: the record declares 9 bytes, its fields take 8; "
            + "BATCH_MAX_TIMESTAMP_WRONG: maximum timestamp is 0, the records have "
            + Batches.nowMs(),
        findings.describe());
    assertEquals(findings.describe(), findings.toString());
  }

  /** docs/metrics.md says how a host that rebuilds counts: a rebuild has no such findings. */
  @Test
  void aRebuildIntoAnotherVerdictKeepsTheFindings() {
    Policy policy =
        Policy.builder(Origin.CLIENT).observing(true).target(Target.of(Codec.ZSTD)).build();
    ByteBuffer batch = Batches.ofPlain(Codec.LZ4, 1, new RecordBytes().toBytes());
    Batches.fixCrc(HeaderField.MAX_TIMESTAMP.set(batch, 0));
    MutableVerdict ofRebuild = new MutableVerdict();
    assertTrue(validator.inspect(batch, policy, Batches.nowMs(), verdict));
    try (BatchRebuilder rebuilder = new BatchRebuilder()) {
      assertTrue(rebuilder.rebuild(batch, policy, Batches.nowMs(), ofRebuild));
    }
    assertEquals(0, ofRebuild.findings().count());
    ValidationCounts counts = new ValidationCounts();
    counts.judged(verdict, null);
    assertEquals(1, counts.found(Reason.BATCH_MAX_TIMESTAMP_WRONG));
    assertEquals(1, counts.rebuilt(RebuildCause.OTHER_CODEC));
  }

  @Test
  void theFirstFindingRefusesAtLevelStrict() {
    assertFalse(validator.inspect(manyFaults(), STRICT, Batches.nowMs(), verdict));
    assertEquals(Reason.BATCH_ATTRIBUTES_RESERVED, verdict.reason());
    assertFalse(verdict.accepted());
    assertFalse(verdict.decidedByRecords());
    assertEquals(4, findings.count());
  }

  @Test
  void faultsForKafkaDecideAtBothLevels() {
    ByteBuffer batch = manyFaults();
    Policy.Builder window =
        Policy.builder(Origin.CLIENT).timestampWindowMs(1, 1).level(Level.STRICT);
    assertFalse(validator.inspect(batch, window.build(), 0, verdict));
    assertEquals(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, verdict.reason());
    assertEquals(3, verdict.failureTotal());
    assertTrue(verdict.decidedByRecords());
    assertEquals(4, findings.count());

    batch.putInt(BatchLayout.RECORD_COUNT_OFFSET, 4);
    batch.putInt(BatchLayout.LAST_OFFSET_DELTA_OFFSET, 3);
    assertFalse(validator.inspect(Batches.fixCrc(batch), STRICT, Batches.nowMs(), verdict));
    assertEquals(Reason.PAYLOAD_RECORDS_MISSING, verdict.reason());
    assertEquals(3, findings.count());
  }

  /** Enforcing the findings after the host has refused the batch changes nothing. */
  @Test
  void enforcedFindingsDoNotReplaceARefusal() {
    assertTrue(validator.inspect(manyFaults(), OBSERVING, Batches.nowMs(), verdict));
    verdict.refuse(Reason.BATCH_TOO_LARGE, 7, 8, 9);
    assertFalse(findings.enforce(verdict));
    assertEquals(Reason.BATCH_TOO_LARGE, verdict.reason());
    assertEquals(7, verdict.position());
    assertEquals(8, verdict.firstOperand());
    assertEquals(4, findings.count());
  }

  @Test
  void anHonestBatchHasNoFindings() {
    ByteBuffer batch = Batches.ofPlain(Codec.ZSTD, 1, new RecordBytes().toBytes());
    assertTrue(validator.inspect(batch, STRICT, Batches.nowMs(), verdict));
    assertEquals(0, findings.count());
    assertEquals("", findings.describe());
    assertFalse(findings.has(Reason.RECORD_LENGTH_UNTRUE));
    assertThrows(IndexOutOfBoundsException.class, () -> findings.reason(0));
    assertThrows(IndexOutOfBoundsException.class, () -> findings.total(0));
    assertThrows(IndexOutOfBoundsException.class, () -> findings.position(0));
    assertThrows(IndexOutOfBoundsException.class, () -> findings.plainPosition(0));
    assertThrows(IndexOutOfBoundsException.class, () -> findings.recordIndex(0));
    assertThrows(IndexOutOfBoundsException.class, () -> findings.describe(0));
  }

  /** They matter where nothing else refuses the batch: observed, or enforced. */
  @Test
  void findingsMatterUnlessKafkaRefusesTheBatch() {
    assertTrue(validator.inspect(manyFaults(), OBSERVING, Batches.nowMs(), verdict));
    assertTrue(findings.matterTo(verdict));
    assertFalse(validator.inspect(manyFaults(), STRICT, Batches.nowMs(), verdict));
    assertTrue(findings.matterTo(verdict));
    ByteBuffer bad = HeaderField.LAST_OFFSET_DELTA.set(manyFaults(), 1);
    HeaderField.RECORD_COUNT.set(bad, 2);
    assertFalse(validator.inspect(Batches.fixCrc(bad), STRICT, Batches.nowMs(), verdict));
    assertEquals(Reason.PAYLOAD_BYTES_LEFT, verdict.reason());
    assertTrue(findings.count() > 0);
    assertFalse(findings.matterTo(verdict));
    ByteBuffer good = Batches.ofPlain(Codec.LZ4, 1, new RecordBytes().toBytes());
    assertTrue(validator.inspect(good, OBSERVING, Batches.nowMs(), verdict));
    assertFalse(findings.matterTo(verdict));
  }
}
