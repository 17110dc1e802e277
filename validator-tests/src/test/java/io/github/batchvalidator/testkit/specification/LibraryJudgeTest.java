// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static io.github.batchvalidator.testkit.specification.Answers.assertDiffers;
import static io.github.batchvalidator.testkit.specification.Answers.section;
import static io.github.batchvalidator.testkit.specification.Answers.thrown;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testkit.specification.LibrarySide.Result;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The specification tells wrong results of the library from right ones. */
class LibraryJudgeTest {
  private static final byte[] DATA = {'v'};

  private final ModelSection usual = section();

  private static byte[] batch(Codec codec) {
    SimpleRecord record = new SimpleRecord(Batches.nowMs(), DATA, DATA);
    return Batches.of(codec, record, record).array();
  }

  private static byte[] withReservedAttribute() {
    ByteBuffer batch = ByteBuffer.wrap(batch(Codec.NONE));
    return Batches.fixCrc(HeaderField.ATTRIBUTES.set(batch, 0x80)).array();
  }

  private static byte[] withWrongChecksum(byte[] batch) {
    byte[] wrong = batch.clone();
    wrong[Batches.crcOffset(ByteBuffer.wrap(batch))] ^= 1;
    return wrong;
  }

  private static Result stores(byte[] bytes, boolean isRebuild) {
    return new Result(null, isRebuild, null, Map.of(), Map.of(), "s", bytes);
  }

  private static Result refuses(Reason reason, Map<Integer, Reason> failures) {
    return new Result(reason, false, null, failures, Map.of(), "s", null);
  }

  private static Result refuses(Reason reason, @Nullable Reason ofRebuild) {
    return new Result(reason, false, ofRebuild, Map.of(), Map.of(), "s", null);
  }

  private Judgment judge(Append append, boolean isDamaged, Answer stock, Result ours) {
    Expectation expected = Answers.expected(usual, append, isDamaged);
    return new LibraryJudge(Answers.LINE, expected, append, stock, ours).judge();
  }

  private static void assertExplained(@Nullable String row, Judgment judgment) {
    assertNull(judgment.difference());
    assertEquals(row, judgment.explained());
  }

  @Test
  void aChecksumStaysWrongOnlyIfItWasWrong() {
    ByteBuffer later =
        HeaderField.MAX_TIMESTAMP.set(ByteBuffer.wrap(batch(Codec.NONE)), Batches.nowMs() + 1);
    byte[] theirs = Batches.fixCrc(later).array();
    Result ours = stores(withWrongChecksum(theirs), false);
    Append wrong = Answers.append(Codec.NONE, withWrongChecksum(batch(Codec.NONE)));
    assertExplained(
        "WRONG_CHECKSUM_KEPT", judge(wrong, false, Answers.stored(wrong, theirs, true), ours));
    Append right = Answers.append(Codec.NONE, batch(Codec.NONE));
    assertDiffers(judge(right, false, Answers.stored(right, theirs, true), ours));
  }

  @Test
  void aHostStoresTheWholeBatchAndNothingOfTheNextOne() {
    byte[] batch = batch(Codec.NONE);
    byte[] both = Arrays.copyOf(batch, batch.length + 20);
    Append append = Answers.append(Codec.NONE, both);
    Answer stock = Answers.stored(append, both, true);
    assertExplained(null, judge(append, false, stock, stores(batch, false)));
    assertDiffers(judge(append, false, stock, stores(both, false)));
    byte[] cut = Arrays.copyOf(batch, batch.length - 1);
    assertDiffers(judge(append, false, stock, stores(cut, false)));
  }

  @Test
  void onlyAControlBatchForACompressedTopicInAnOldLogIsRebuilt() {
    ByteBuffer control = HeaderField.ATTRIBUTES.set(ByteBuffer.wrap(batch(Codec.NONE)), 0x20);
    byte[] bytes = Batches.fixCrc(control).array();
    Append old = Answers.rebuilt(Codec.NONE, Codec.LZ4, 1, bytes);
    Answer kept = Answers.stored(old, bytes, true);
    String row = "CONTROL_BATCH_IN_OLD_LOG";
    assertExplained(row, judge(old, false, kept, stores(batch(Codec.LZ4), true)));
    Reason producer = Reason.REBUILD_PRODUCER_ID_MISSING;
    Result refused = new Result(producer, true, null, Map.of(), Map.of(), "s", null);
    assertExplained(row, judge(old, false, kept, refused));
    for (Append other :
        List.of(
            Answers.rebuilt(Codec.NONE, Codec.LZ4, 2, bytes),
            Answers.rebuilt(Codec.NONE, Codec.NONE, 1, bytes),
            Answers.rebuilt(Codec.NONE, Codec.LZ4, 1, batch(Codec.NONE)))) {
      Answer stock = Answers.stored(other, other.bytes(), true);
      assertDiffers(judge(other, false, stock, stores(batch(Codec.LZ4), true)));
      assertDiffers(judge(other, false, stock, refused));
    }
  }

  @Test
  void theFailingRecordsAreThoseOfStock() {
    Append append = Answers.append(Codec.NONE, batch(Codec.NONE));
    Answer stock = Answers.refused(append, 87, "records", List.of("1 key"));
    Reason key = Reason.RECORD_KEY_MISSING;
    assertExplained(null, judge(append, false, stock, refuses(key, Map.of(1, key))));
    assertDiffers(judge(append, false, stock, refuses(key, Map.of(0, key))));
    Answer ofBatch = thrown(append, 87, new InvalidRecordException("a batch"));
    Reason truncated = Reason.RECORD_TRUNCATED;
    assertExplained(null, judge(append, false, ofBatch, refuses(truncated, Map.of(0, key))));
    assertDiffers(judge(append, false, ofBatch, refuses(key, Map.of(0, key))));
  }

  @Test
  void rulesThatKafkaLacksDoNotDecideWhatKafkaRefuses() {
    Append append = Answers.append(Codec.NONE, batch(Codec.NONE));
    Answer stock = thrown(append, 87, new InvalidRecordException("a batch"));
    Map<Integer, Reason> none = Map.of();
    assertExplained(null, judge(append, false, stock, refuses(Reason.RECORD_TRUNCATED, none)));
    assertDiffers(judge(append, false, stock, refuses(Reason.TOPIC_CODEC_NOT_ALLOWED, none)));
    assertDiffers(judge(append, false, stock, refuses(Reason.RECORD_ATTRIBUTES_RESERVED, none)));
  }

  @Test
  void onlyADamagedStreamFailsBesideARecord() {
    Append append = Answers.append(Codec.LZ4, batch(Codec.LZ4));
    Answer stock = thrown(append, -1, new KafkaException("a stream"));
    Result ours = refuses(Reason.RECORD_KEY_MISSING, Map.of(0, Reason.RECORD_KEY_MISSING));
    assertExplained("STREAM_AND_RECORD_AT_FAULT", judge(append, true, stock, ours));
    assertDiffers(judge(append, false, stock, ours));
    Answer ofFormat = thrown(append, 43, new UnsupportedForMessageFormatException("a format"));
    Result ofStream = refuses(Reason.CODEC_DATA_CORRUPT, Map.of());
    assertDiffers(judge(append, true, ofFormat, ofStream));
  }

  @Test
  void aRebuildExplainsOnlyWhatAnInspectionDoesNotFindFirst() {
    Append append = Answers.rebuilt(Codec.GZIP, Codec.LZ4, 2, batch(Codec.GZIP));
    Answer stock = thrown(append, 87, new InvalidRecordException("a record"));
    Reason old = Reason.RECORD_TIMESTAMP_OUT_OF_RANGE;
    String row = "REBUILD_AND_OTHER_FAULT";
    assertExplained(row, judge(append, false, stock, refuses(old, Reason.RECORD_TRUNCATED)));
    assertDiffers(judge(append, false, stock, refuses(old, Reason.RECORD_KEY_MISSING)));

    Reason header = Reason.BATCH_TRANSACTIONAL_UNSUPPORTED;
    Result endless = refuses(header, Reason.RECORD_VARINT_TOO_LONG);
    assertDiffers(judge(append, false, stock, endless));
    Append plain = Answers.rebuilt(Codec.NONE, Codec.NONE, 1, batch(Codec.NONE));
    assertExplained(row, judge(plain, false, stock, endless));
    assertDiffers(judge(plain, false, stock, refuses(header, Reason.BATCH_COUNT_MISMATCH)));
  }

  @Test
  void aLimitIsOneThatTheBatchExceeds() {
    Append append = Answers.append(Codec.LZ4, batch(Codec.LZ4));
    ModelSection section = section("limits.records", "1");
    Expectation expected = Answers.expected(section, append, false);
    Answer stock = Answers.stored(append, append.bytes(), true);
    Result right = refuses(Reason.LIMIT_RECORDS, Map.of());
    assertExplained(null, new LibraryJudge(Answers.LINE, expected, append, stock, right).judge());
    Result other = refuses(Reason.LIMIT_HEADERS, Map.of());
    assertDiffers(new LibraryJudge(Answers.LINE, expected, append, stock, other).judge());
    Answer failing = thrown(append, -1, new KafkaException("a stream"));
    assertDiffers(new LibraryJudge(Answers.LINE, expected, append, failing, other).judge());
  }

  @Test
  void theLevelRefusesForItsOwnReasons() {
    Append append = Answers.append(Codec.LZ4, batch(Codec.LZ4));
    Expectation undecided = Answers.expected(section("level", "strict"), append, true);
    Answer stock = Answers.stored(append, append.bytes(), true);
    Result right = refuses(Reason.CODEC_STREAM_AMBIGUOUS, Map.of());
    assertExplained(null, new LibraryJudge(Answers.LINE, undecided, append, stock, right).judge());
    Result ofKafka = refuses(Reason.CODEC_DATA_CORRUPT, Map.of());
    assertDiffers(new LibraryJudge(Answers.LINE, undecided, append, stock, ofKafka).judge());
  }

  @Test
  void theLevelFindsAllItsReasons() {
    Append append = Answers.append(Codec.NONE, withReservedAttribute());
    Expectation expected = Answers.expected(section("level", "strict"), append, false);
    Answer stock = Answers.stored(append, append.bytes(), true);
    Reason reason = Reason.BATCH_ATTRIBUTES_RESERVED;
    Map<Reason, Long> more = Map.of(reason, 1L, Reason.RECORD_ATTRIBUTES_RESERVED, 1L);
    for (Map<Reason, Long> found : List.of(Map.of(reason, 1L), Map.of(reason, 2L), more)) {
      Result ours = new Result(reason, false, null, Map.of(), found, "s", null);
      Judgment judgment = new LibraryJudge(Answers.LINE, expected, append, stock, ours).judge();
      boolean isRight = found.equals(Map.of(reason, 1L));
      assertEquals(isRight, judgment.difference() == null, judgment::toString);
    }
  }

  @Test
  void aKnownDifferenceDoesNotHideFindings() {
    byte[] right = withReservedAttribute();
    byte[] wrong = withWrongChecksum(right);
    Append append = Answers.append(Codec.NONE, wrong);
    Expectation expected = Answers.expected(section("observe", "true"), append, false);
    Answer stock = Answers.stored(append, right, true);
    Map<Reason, Long> found = Map.of(Reason.BATCH_ATTRIBUTES_RESERVED, 1L);
    Result ours = new Result(null, false, null, Map.of(), found, "s", wrong);
    Judgment judgment = new LibraryJudge(Answers.LINE, expected, append, stock, ours).judge();
    assertExplained("WRONG_CHECKSUM_KEPT", judgment);
    Result silent = stores(wrong, false);
    assertDiffers(new LibraryJudge(Answers.LINE, expected, append, stock, silent).judge());
  }

  @Test
  void onlyCrashesOfACodecAreFailuresOfACodec() {
    Append append = Answers.append(Codec.SNAPPY, batch(Codec.SNAPPY));
    Result ours = refuses(Reason.CODEC_DATA_CORRUPT, Map.of());
    Answer ofCodec = thrown(append, -1, new NegativeArraySizeException("-1"));
    assertExplained("CODEC_FAILURE_UNWRAPPED", judge(append, true, ofCodec, ours));
    Answer ofOther = thrown(append, -1, new IllegalStateException("a record"));
    assertDiffers(judge(append, true, ofOther, ours));
  }

  @Test
  void onlyARecordThatTakesMoreThanItDeclaresHasTheRecordLimitByContent() {
    String row = "RECORD_LIMIT_BY_CONTENT";
    Result ours = refuses(Reason.LIMIT_RECORD_BYTES, Map.of());
    for (int limit : new int[] {5, 1000}) {
      Append append = Answers.declaringOneByte(limit);
      Answer stock = Answers.stored(append, append.bytes(), true);
      Answer failing = thrown(append, -1, new KafkaException("a stream"));
      for (Answer each : List.of(stock, failing)) {
        Judgment judgment = judge(append, false, each, ours);
        assertEquals(limit == 5, judgment.difference() == null, judgment::toString);
        assertEquals(limit == 5 ? row : null, judgment.explained());
      }
    }
  }
}
