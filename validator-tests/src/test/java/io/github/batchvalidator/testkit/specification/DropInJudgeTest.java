// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static io.github.batchvalidator.testkit.specification.Answers.assertDiffers;
import static io.github.batchvalidator.testkit.specification.Answers.assertOutcome;
import static io.github.batchvalidator.testkit.specification.Answers.refused;
import static io.github.batchvalidator.testkit.specification.Answers.section;
import static io.github.batchvalidator.testkit.specification.Answers.stored;
import static io.github.batchvalidator.testkit.specification.Answers.thrown;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.KafkaLine;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** The specification tells wrong answers of a jar from right ones. */
class DropInJudgeTest {
  private static final String REFUSED = "Batch for t-0 is refused: ";
  private static final String RESERVED = "attributes 0080 have bits set without a meaning";
  private static final String TOO_LARGE =
      "Invalid record size: 6 exceeds the configured maximum record size of 5.";
  private static final byte[] DATA = {'v'};

  private final ModelSection strict = section("level", "strict");

  private static byte[] batch(Codec codec, int count) {
    SimpleRecord[] records = new SimpleRecord[count];
    for (int i = 0; i < count; i++) {
      records[i] = new SimpleRecord(Batches.nowMs(), DATA, DATA);
    }
    return Batches.of(codec, records).array();
  }

  private static byte[] withReservedAttribute() {
    ByteBuffer batch = ByteBuffer.wrap(batch(Codec.NONE, 1));
    return Batches.fixCrc(HeaderField.ATTRIBUTES.set(batch, 0x80)).array();
  }

  private static DropInSide.Added refusals(long refused) {
    return new DropInSide.Added(Map.of(), refused, 0);
  }

  private static DropInSide.Added counts(Reason reason, long times, long refused, long found) {
    return new DropInSide.Added(Map.of(reason, times), refused, found);
  }

  private static Answer touched(Answer answer) {
    byte[] caller = answer.caller().clone();
    caller[0] ^= 1;
    return withMemory(answer, caller);
  }

  private static Answer withMemory(Answer answer, byte[] caller) {
    return new Answer(
        answer.thrown(),
        answer.errorCode(),
        answer.recordErrors(),
        answer.texts(),
        answer.metrics(),
        answer.nextOffset(),
        caller,
        answer.result());
  }

  private static Judgment judge(
      Expectation expected, Append append, Answer stock, Answer ours, DropInSide.Added counted) {
    return new DropInJudge(Answers.LINE, expected, append, stock, ours, counted).judge();
  }

  @Test
  void anotherMessageFirstIsARefusalThatTheLevelNames() {
    byte[] messages = LegacyMessage.join(LegacyMessage.several(1, 2));
    Append append = Answers.append(Codec.NONE, messages);
    Expectation expected = Answers.expected(strict, append, false);
    Answer stock = thrown(append, 2, new CorruptRecordException("a checksum"));
    DropInSide.Added counted = counts(Reason.BATCH_ATTRIBUTES_RESERVED, 1, 1, 1);
    Answer right = refused(append, 87, REFUSED + RESERVED);
    Judgment judgment = judge(expected, append, stock, right, counted);
    assertOutcome("refused by Kafka", judgment);
    assertEquals("OTHER_MESSAGE_FIRST", judgment.explained());
    Answer accepted = stored(append, messages, true);
    assertDiffers(judge(expected, append, stock, accepted, refusals(0)));
    Answer otherCode = refused(append, 2, REFUSED + RESERVED);
    assertDiffers(judge(expected, append, stock, otherCode, counted));
    Answer ofTopic = refused(append, 87, REFUSED + "the topic does not allow codec id 0 (none)");
    assertDiffers(judge(expected, append, stock, ofTopic, refusals(1)));
    Answer notSent = thrown(append, 87, new KafkaException(REFUSED + RESERVED));
    assertDiffers(judge(expected, append, stock, notSent, refusals(1)));
  }

  @Test
  void theLevelNamesItsFindingWithItsCodeAndChangesNothing() {
    Append append = Answers.append(Codec.GZIP, batch(Codec.GZIP, 1));
    Expectation undecided = Answers.expected(strict, append, true);
    Answer stock = stored(append, append.bytes(), true);
    String text = REFUSED + "readers of the compressed data may differ";
    DropInSide.Added counted = counts(Reason.CODEC_STREAM_AMBIGUOUS, 1, 1, 1);
    Answer right = refused(append, 87, text);
    assertOutcome("refused by the level", judge(undecided, append, stock, right, counted));
    assertDiffers(judge(undecided, append, stock, touched(right), counted));
    assertDiffers(judge(undecided, append, stock, refused(append, 32, text), counted));
    Answer ofTopic = refused(append, 87, REFUSED + "the topic does not allow codec id 1 (gzip)");
    assertDiffers(judge(undecided, append, stock, ofTopic, refusals(1)));
    Expectation sound = Answers.expected(strict, append, false);
    assertDiffers(judge(sound, append, stock, right, counted));
  }

  @Test
  void aTopicNamesTheRightUnit() {
    SimpleRecord record = new SimpleRecord(1_700_000_000, DATA, DATA);
    Append append = Answers.append(Codec.NONE, Batches.of(Codec.NONE, record).array());
    Expectation expected =
        Answers.expected(section("timestamps.milliseconds", "true"), append, false);
    Answer stock = stored(append, append.bytes(), true);
    String text = "timestamp 1700000000 seems to be in %sseconds, not milliseconds";
    Answer right = ofRecord(append, "0 " + text.formatted(""));
    assertOutcome("refused for the topic", judge(expected, append, stock, right, refusals(1)));
    Answer micro = ofRecord(append, "0 " + text.formatted("micro"));
    assertDiffers(judge(expected, append, stock, micro, refusals(1)));
    Answer second = ofRecord(append, "1 " + text.formatted(""));
    assertDiffers(judge(expected, append, stock, second, refusals(1)));
  }

  private static Answer ofRecord(Append append, String record) {
    return refused(append, 87, "One or more records have been rejected", List.of(record));
  }

  @Test
  void aLimitIsOneThatTheBatchExceeds() {
    ModelSection section = section("limits.records", "1");
    Append append = Answers.append(Codec.LZ4, batch(Codec.LZ4, 2));
    Expectation expected = Answers.expected(section, append, false);
    Answer stock = stored(append, append.bytes(), true);
    Answer right =
        refused(append, 87, REFUSED + "the batch has at least 2 records, the limit is 1");
    assertOutcome("refused for a limit", judge(expected, append, stock, right, refusals(1)));
    Answer headers = refused(append, 87, REFUSED + "the record has 2 headers, the limit is 1");
    assertDiffers(judge(expected, append, stock, headers, refusals(1)));

    Expectation undecided = Answers.expected(section, append, true);
    Answer failing = thrown(append, -1, new KafkaException("a stream"));
    Judgment other = judge(undecided, append, failing, right, refusals(1));
    assertEquals("LIMIT_AND_OTHER_FAULT", other.explained());
    assertDiffers(judge(undecided, append, failing, headers, refusals(1)));
    assertDiffers(judge(expected, append, stock, touched(right), refusals(1)));
  }

  @Test
  void aLimitInKafkasWordsHasItsCodeAndChangesNothing() {
    Append append = Answers.append(Codec.LZ4, batch(Codec.LZ4, 1));
    Expectation expected = Answers.expected(section("limits.recordBytes", "1"), append, false);
    Answer stock = stored(append, append.bytes(), true);
    Answer right = thrown(append, 87, new InvalidRecordException(TOO_LARGE));
    assertOutcome("refused for a limit", judge(expected, append, stock, right, refusals(1)));
    Answer otherCode = thrown(append, -1, new KafkaException(TOO_LARGE));
    assertDiffers(judge(expected, append, stock, otherCode, refusals(1)));
    assertDiffers(judge(expected, append, stock, touched(right), refusals(1)));
  }

  @Test
  void onlyARecordThatTakesMoreThanItDeclaresHasTheRecordLimitByContent() {
    Append append = Answers.declaringOneByte(5);
    Judgment judgment = judgeRecordLimit(KafkaLine.V4_4, append);
    assertOutcome("refused for a limit", judgment);
    assertEquals("RECORD_LIMIT_BY_CONTENT", judgment.explained());
    assertDiffers(judgeRecordLimit(KafkaLine.V4_3, append));
    assertDiffers(judgeRecordLimit(KafkaLine.V4_4, Answers.declaringOneByte(1000)));
  }

  private static Judgment judgeRecordLimit(KafkaLine line, Append append) {
    Expectation expected = Answers.expected(section(), append, false);
    Answer stock = stored(append, append.bytes(), true);
    Answer ours = thrown(append, 87, new InvalidRecordException(TOO_LARGE));
    return new DropInJudge(Answers.line(line), expected, append, stock, ours, refusals(1)).judge();
  }

  @Test
  void onlyARebuildHasTheLimitOfRebuiltBatches() {
    ModelSection section = section("limits.rebuiltBytes", "1");
    byte[] bytes = batch(Codec.LZ4, 1);
    Append append = Answers.append(Codec.LZ4, bytes);
    String text = REFUSED + "the rebuilt batch needs at least 70 bytes, the limit is 1";
    Answer ours = refused(append, 10, text);
    Expectation expected = Answers.expected(section, append, false);
    assertOutcome(
        "refused for a limit",
        judge(expected, append, stored(append, bytes, false), ours, refusals(1)));
    assertDiffers(judge(expected, append, stored(append, bytes, true), ours, refusals(1)));
  }

  @Test
  void aRebuildOfAControlBatchInAnOldLogHasTheLimitOfRebuiltBatches() {
    ByteBuffer control = HeaderField.ATTRIBUTES.set(ByteBuffer.wrap(batch(Codec.NONE, 1)), 0x20);
    byte[] bytes = Batches.fixCrc(control).array();
    ModelSection section = section("limits.rebuiltBytes", "1");
    String text = REFUSED + "the rebuilt batch needs at least 70 bytes, the limit is 1";
    for (int magic = 1; magic <= 2; magic++) {
      Append append = Answers.rebuilt(Codec.NONE, Codec.LZ4, magic, bytes);
      Expectation expected = Answers.expected(section, append, false);
      Answer stock = stored(append, bytes, true);
      Judgment judgment = judge(expected, append, stock, refused(append, 10, text), refusals(1));
      assertEquals(magic == 1, judgment.difference() == null, judgment::toString);
    }
  }

  @Test
  void aRefusedAppendCountsOnceAndAnAcceptedOneNever() {
    Append append = Answers.append(Codec.NONE, batch(Codec.NONE, 1));
    Expectation expected = Answers.expected(section(), append, false);
    Answer accepted = stored(append, append.bytes(), true);
    assertOutcome("accepted", judge(expected, append, accepted, accepted, refusals(0)));
    assertDiffers(judge(expected, append, accepted, accepted, refusals(1)));
    Answer refused = thrown(append, 2, new CorruptRecordException("a checksum"));
    assertOutcome("refused by Kafka", judge(expected, append, refused, refused, refusals(1)));
    assertDiffers(judge(expected, append, refused, refused, refusals(0)));
    assertDiffers(judge(expected, append, refused, refused, refusals(2)));
  }

  @Test
  void aBatchWithFindingsCountsOnceAndARefusedOneNever() {
    Append append = Answers.append(Codec.NONE, withReservedAttribute());
    Expectation expected = Answers.expected(section("observe", "true"), append, false);
    Reason reason = Reason.BATCH_ATTRIBUTES_RESERVED;
    Answer accepted = stored(append, append.bytes(), true);
    assertOutcome("accepted", judge(expected, append, accepted, accepted, counts(reason, 1, 0, 1)));
    assertDiffers(judge(expected, append, accepted, accepted, counts(reason, 2, 0, 2)));
    assertDiffers(judge(expected, append, accepted, accepted, counts(reason, 2, 0, 1)));
    assertDiffers(judge(expected, append, accepted, accepted, counts(reason, 1, 0, 0)));
    Answer refused = thrown(append, 2, new CorruptRecordException("a checksum"));
    assertOutcome("refused by Kafka", judge(expected, append, refused, refused, refusals(1)));
    assertDiffers(judge(expected, append, refused, refused, counts(reason, 1, 1, 1)));
  }

  @Test
  void aRefusalByTheLevelCountsWhatItNames() {
    Append append = Answers.append(Codec.NONE, withReservedAttribute());
    Expectation expected = Answers.expected(strict, append, false);
    Answer stock = stored(append, append.bytes(), true);
    Answer ours = refused(append, 87, REFUSED + RESERVED);
    DropInSide.Added right = counts(Reason.BATCH_ATTRIBUTES_RESERVED, 1, 1, 1);
    assertOutcome("refused by the level", judge(expected, append, stock, ours, right));
    assertDiffers(judge(expected, append, stock, ours, refusals(1)));
    DropInSide.Added other = counts(Reason.RECORD_ATTRIBUTES_RESERVED, 1, 1, 1);
    assertDiffers(judge(expected, append, stock, ours, other));
    Map<Reason, Long> both =
        Map.of(Reason.BATCH_ATTRIBUTES_RESERVED, 1L, Reason.RECORD_ATTRIBUTES_RESERVED, 1L);
    assertDiffers(judge(expected, append, stock, ours, new DropInSide.Added(both, 1, 1)));
  }

  @Test
  void aKnownDifferenceDoesNotHideFindings() {
    byte[] right = withReservedAttribute();
    ByteBuffer batch = ByteBuffer.wrap(right.clone());
    byte[] wrong = HeaderField.CRC.set(batch, HeaderField.CRC.get(batch) ^ 1).array();
    Append append = Answers.append(Codec.NONE, wrong);
    Expectation expected = Answers.expected(section("observe", "true"), append, false);
    Answer stock = withMemory(stored(append, right, true), right);
    Answer ours = stored(append, wrong, true);
    DropInSide.Added counted = counts(Reason.BATCH_ATTRIBUTES_RESERVED, 1, 0, 1);
    Judgment judgment = judge(expected, append, stock, ours, counted);
    assertOutcome("accepted", judgment);
    assertEquals("WRONG_CHECKSUM_KEPT", judgment.explained());
    assertDiffers(judge(expected, append, stock, ours, refusals(0)));
  }

  @Test
  void nothingCountsABatchThatCannotBeStamped() {
    Append heap = Answers.append(Codec.NONE, batch(Codec.NONE, 1));
    Append append = new Append(heap.bytes(), BufferKind.READ_ONLY, heap.settings());
    Expectation expected = Answers.expected(section(), append, false);
    Answer stock = thrown(append, -1, new ReadOnlyBufferException());
    Answer ours = thrown(append, -1, new KafkaException("The records lie in a read-only buffer"));
    Judgment judgment = judge(expected, append, stock, ours, refusals(0));
    assertOutcome("refused by Kafka", judgment);
    assertEquals("READ_ONLY_BUFFER", judgment.explained());
    assertDiffers(judge(expected, append, stock, ours, refusals(1)));
  }
}
