// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.differential.KafkaOracle.Place;
import io.github.batchvalidator.lines.OtherMessageIT;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Reason.Answer;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.DocumentTable;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testkit.specification.SpecificationDifference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Both sides of the rows that need rules, limits or the library; named like their constants. */
final class SpecificationDifferenceTest {
  private static final Policy HOUR =
      Policy.builder(Origin.CLIENT).timestampWindowMs(3_600_000, 3_600_000).build();
  private static final long TWO_HOURS_AGO = Batches.nowMs() - 7_200_000;

  private final Referee referee = new Referee();
  private final BatchRebuilder rebuilder = new BatchRebuilder();

  @AfterEach
  void close() {
    referee.close();
    rebuilder.close();
  }

  @Test
  void limitAndOtherFault() {
    SimpleRecord old = new SimpleRecord(TWO_HOURS_AGO, new byte[] {1}, new byte[9]);
    byte[] batch = Batches.of(Codec.LZ4, old, old).array();
    Policy limited =
        HOUR.toBuilder().limits(Limits.UNBOUNDED_AS_KAFKA.with(Limit.RECORDS, 1)).build();
    assertEquals(
        Answer.INVALID_TIMESTAMP, referee.kafka.ask(batch, limited, Referee.PLACE).answer());
    assertEquals(Reason.LIMIT_RECORDS, referee.inspect(batch, limited).reason());
    referee.agree(batch, HOUR);
  }

  /** An old record that declares one byte more than it has, which only a full reader finds. */
  @Test
  void rebuildAndOtherFault() {
    byte[] untrue = new RecordBytes().lengthError(1).toBytes();
    ByteBuffer source = Batches.ofPlain(Codec.GZIP, 1, untrue);
    byte[] batch = Batches.fixCrc(HeaderField.BASE_TIMESTAMP.set(source, TWO_HOURS_AGO)).array();
    referee.agree(batch, HOUR); // in place, Kafka does not compare the length

    Policy rebuilding = Batches.storing(HOUR, Codec.LZ4);
    KafkaAnswer theirs = referee.kafka.ask(batch, HOUR, Referee.PLACE, Codec.LZ4);
    assertEquals(Answer.INVALID_RECORD, theirs.answer());
    Verdict verdict = referee.inspect(batch, rebuilding);
    assertEquals(Reason.RECORD_TIMESTAMP_OUT_OF_RANGE, verdict.reason());
    assertTrue(verdict.needsRebuild());
    Verdict ofRebuild = BatchValidator.newVerdict(0);
    assertFalse(rebuilder.rebuild(ByteBuffer.wrap(batch), rebuilding, Batches.nowMs(), ofRebuild));
    assertEquals(Reason.RECORD_TRUNCATED, ofRebuild.reason());
  }

  @Test
  void noOffsetsLeft() {
    SimpleRecord record = new SimpleRecord(Batches.nowMs(), new byte[] {1}, new byte[9]);
    byte[] batch = Batches.of(Codec.NONE, record, record).array();
    Place last = new Place(Long.MAX_VALUE, 0, Batches.nowMs());
    KafkaAnswer theirs = referee.kafka.ask(batch, Policy.CLIENT, last);
    assertTrue(theirs.accepted());
    assertTrue(theirs.nextOffset() < 0);
    Verdict verdict = referee.inspect(batch, Policy.CLIENT);
    assertTrue(verdict.accepted());
    ByteBuffer buffer = ByteBuffer.wrap(batch);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new OffsetStamp()
                .firstOffset(last.firstOffset())
                .leaderEpoch(0)
                .nowMs(last.nowMs())
                .assign(buffer, verdict));
  }

  /** Each constant has an example and a row in the document, and the other way round. */
  @Test
  void everyDifferenceIsPinnedAndWrittenDown() throws IOException {
    List<String> names =
        Arrays.stream(SpecificationDifference.values()).map(Enum::name).sorted().toList();
    assertEquals(
        names,
        DocumentTable.firstColumn(
                "compatibility.md", "### Differences with rules, limits and the library")
            .stream()
            .sorted()
            .toList());
    DocumentTable.assertPinned(names, SpecificationDifferenceTest.class, OtherMessageIT.class);
  }
}
