// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static io.github.batchvalidator.testkit.specification.Answers.assertDiffers;
import static io.github.batchvalidator.testkit.specification.Answers.assertOutcome;
import static io.github.batchvalidator.testkit.specification.Answers.section;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** The specification tells wrong reports of {@code ./check} from right ones. */
class CheckJudgeTest {
  private static final Set<Reason> NONE = Set.of();
  private static final String OF_LOG = "faults that brokers do not look for";
  private static final byte[] DATA = {'v'};

  private final ModelSection usual = section();
  private final ModelSection ruled = section("codecs", "lz4");
  private final ModelSection observing = section("codecs", "lz4", "observe", "true");

  private static byte[] batch() {
    SimpleRecord record = new SimpleRecord(Batches.nowMs(), DATA, DATA);
    return Batches.of(Codec.NONE, record, record).array();
  }

  private static byte[] batch(HeaderField field, long value) {
    return Batches.fixCrc(field.set(ByteBuffer.wrap(batch()), value)).array();
  }

  private static Judgment judge(
      ModelSection section, byte[] batch, Set<Reason> faults, Set<Reason> findings) {
    return new CheckJudge(section, batch, faults, findings).judge();
  }

  @Test
  void aWrongChecksumIsReportedAndNothingElse() {
    byte[] wrong = batch();
    wrong[Batches.crcOffset(ByteBuffer.wrap(wrong))] ^= 1;
    Set<Reason> crc = Set.of(Reason.BATCH_CRC_MISMATCH);
    assertOutcome(OF_LOG, judge(ruled, wrong, crc, NONE));
    assertDiffers(judge(ruled, wrong, NONE, NONE));
    assertDiffers(judge(ruled, wrong, Set.of(Reason.TOPIC_CODEC_NOT_ALLOWED), NONE));
    assertDiffers(judge(usual, batch(), crc, NONE));
    assertOutcome("sound", judge(usual, batch(), NONE, NONE));
  }

  @Test
  void aFaultThatOnlyLogsHaveIsOneThatTheModelSees() {
    byte[] negative = batch(HeaderField.LAST_OFFSET_DELTA, -1);
    byte[] unordered = batch(HeaderField.LAST_OFFSET_DELTA, 0);
    byte[] late = batch(HeaderField.MAX_TIMESTAMP, Batches.nowMs() + 1);
    Set<Reason> range = Set.of(Reason.BATCH_OFFSET_RANGE_INVALID);
    Set<Reason> order = Set.of(Reason.RECORD_OFFSET_OUT_OF_ORDER);
    Set<Reason> time = Set.of(Reason.BATCH_MAX_TIMESTAMP_MISMATCH);
    assertOutcome(OF_LOG, judge(ruled, negative, range, NONE));
    assertOutcome(OF_LOG, judge(ruled, unordered, order, NONE));
    assertOutcome(OF_LOG, judge(ruled, late, time, NONE));
    for (byte[] batch : new byte[][] {negative, unordered, late}) {
      assertDiffers(judge(ruled, batch, NONE, NONE));
      assertDiffers(judge(ruled, batch, Set.of(Reason.RECORD_TRUNCATED), NONE));
    }
    for (Set<Reason> faults : Set.of(range, order, time)) {
      assertDiffers(judge(ruled, batch(), faults, NONE));
      assertDiffers(judge(usual, batch(), faults, NONE));
    }
  }

  @Test
  void aFaultDoesNotHideFindings() {
    byte[] late = batch(HeaderField.MAX_TIMESTAMP, Batches.nowMs() + 1);
    Set<Reason> time = Set.of(Reason.BATCH_MAX_TIMESTAMP_MISMATCH);
    Set<Reason> codec = Set.of(Reason.TOPIC_CODEC_NOT_ALLOWED);
    assertOutcome(OF_LOG, judge(observing, late, time, codec));
    assertDiffers(judge(observing, late, time, NONE));
    assertOutcome("findings", judge(observing, batch(), NONE, codec));
    assertDiffers(judge(observing, batch(), NONE, NONE));
  }

  @Test
  void aLimitIsOneThatTheBatchExceeds() {
    ModelSection limited = section("limits.records", "1", "codecs", "lz4", "observe", "true");
    Set<Reason> records = Set.of(Reason.LIMIT_RECORDS);
    Set<Reason> codec = Set.of(Reason.TOPIC_CODEC_NOT_ALLOWED);
    assertOutcome(OF_LOG, judge(limited, batch(), records, codec));
    assertDiffers(judge(limited, batch(), records, NONE));
    assertDiffers(judge(limited, batch(), NONE, codec));
    assertDiffers(judge(limited, batch(), Set.of(Reason.LIMIT_HEADERS), codec));
    Set<Reason> other = Set.of(Reason.TOPIC_CODEC_NOT_ALLOWED, Reason.TOPIC_KEY_MISSING);
    assertDiffers(judge(limited, batch(), records, other));
    assertDiffers(judge(usual, batch(), records, NONE));
  }

  @Test
  void sixteenFailingRecordsAreReported() {
    SimpleRecord[] all = new SimpleRecord[17];
    for (int i = 0; i < all.length; i++) {
      boolean isLast = i == all.length - 1;
      all[i] = new SimpleRecord(Batches.nowMs(), isLast ? DATA : null, isLast ? null : DATA);
    }
    byte[] batch = Batches.of(Codec.NONE, all).array();
    ModelSection section = section("key.required", "true", "value.required", "true");
    Set<Reason> key = Set.of(Reason.TOPIC_KEY_MISSING);
    assertOutcome("faults", judge(section, batch, key, NONE));
    assertDiffers(judge(section, batch, NONE, NONE));
    Set<Reason> both = Set.of(Reason.TOPIC_KEY_MISSING, Reason.TOPIC_VALUE_MISSING);
    assertDiffers(judge(section, batch, both, NONE));
  }

  @Test
  void theLevelReportsItsFindingsAsFaults() {
    ModelSection strict = section("level", "strict", "codecs", "lz4");
    byte[] reserved = batch(HeaderField.ATTRIBUTES, 0x80);
    Set<Reason> both = Set.of(Reason.BATCH_ATTRIBUTES_RESERVED, Reason.TOPIC_CODEC_NOT_ALLOWED);
    assertOutcome("faults", judge(strict, reserved, both, NONE));
    Set<Reason> codec = Set.of(Reason.TOPIC_CODEC_NOT_ALLOWED);
    assertDiffers(judge(strict, reserved, codec, NONE));
    Set<Reason> attributes = Set.of(Reason.BATCH_ATTRIBUTES_RESERVED);
    assertDiffers(judge(strict, reserved, codec, attributes));
  }
}
