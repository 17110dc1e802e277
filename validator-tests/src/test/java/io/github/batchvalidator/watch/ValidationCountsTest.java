// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.NonZero;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which counters a verdict moves: each of these tests looks at all of them. */
class ValidationCountsTest {
  private final ValidationCounts counts = new ValidationCounts();
  private final MutableVerdict verdict = new MutableVerdict();

  private void accept(Codec codec, int batchBytes, long plainBytes) {
    verdict.reset(Policy.CLIENT);
    verdict.batch(batchBytes, (byte) 2);
    verdict.header(codec, false, TimestampType.CREATE_TIME);
    verdict.walk().records(1, plainBytes, -1);
  }

  private Map<String, Long> judged() {
    counts.judged(verdict, null);
    return NonZero.of(counts);
  }

  @ParameterizedTest
  @EnumSource
  void acceptedByCodecSizeAndRatio(Codec codec) {
    accept(codec, 100, 250);
    Map<String, Long> expected = new TreeMap<>();
    expected.put("accepted", 1L);
    expected.put("accepted " + codec, 1L);
    expected.put("plain 256", 1L);
    if (codec != Codec.NONE) {
      expected.put("ratio 4", 1L);
    }
    assertEquals(expected, judged());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "99, 1",
    "100, 1",
    "101, 2",
    "200, 2",
    "201, 4",
    "400, 4",
    "401, 8",
    "6553600, 65536",
    "6553601, 9223372036854775807"
  })
  void aRatioIsNotRoundedDown(long plainBytes, String bucket) {
    accept(Codec.ZSTD, 100, plainBytes);
    assertEquals(1L, judged().get("ratio " + bucket));
  }

  @ParameterizedTest
  @EnumSource
  void acceptedAndRebuilt(RebuildCause cause) {
    accept(Codec.LZ4, 100, 90);
    verdict.rebuild(cause);
    assertEquals(
        Map.of(
            "accepted",
            1L,
            "accepted LZ4",
            1L,
            "rebuilt " + cause,
            1L,
            "plain 128",
            1L,
            "ratio 1",
            1L),
        judged());
  }

  @ParameterizedTest
  @EnumSource
  void refusedByReasonAndCodec(Reason reason) {
    verdict.header(Codec.SNAPPY, false, TimestampType.CREATE_TIME);
    verdict.walk().records(5, 1_000, -1);
    verdict.rebuild(RebuildCause.OTHER_MAGIC);
    verdict.refuse(reason, 0, 0, 0);
    assertEquals(Map.of("refused", 1L, "refused SNAPPY", 1L, "refused " + reason, 1L), judged());
  }

  @ParameterizedTest
  @EnumSource
  void refusedByCodec(Codec codec) {
    verdict.header(codec, false, TimestampType.CREATE_TIME);
    verdict.refuse(Reason.BATCH_CRC_MISMATCH, 0, 0, 0);
    assertEquals(1L, judged().get("refused " + codec));
  }

  @Test
  void refusedBeforeTheCodecIsKnown() {
    verdict.refuse(Reason.BATCH_CRC_MISMATCH, 0, 0, 0);
    assertEquals(
        Map.of("refused", 1L, "refused UNKNOWN", 1L, "refused BATCH_CRC_MISMATCH", 1L), judged());
  }

  @ParameterizedTest
  @EnumSource
  void foundInAnAcceptedBatch(Reason reason) {
    if (reason.level() != Level.STRICT) {
      return;
    }
    accept(Codec.NONE, 100, 30);
    verdict.findings().add(reason, 61, 0, 0, 0, 0);
    verdict.findings().add(reason, 61, 1, 9, 0, 0);
    assertEquals(
        Map.of("accepted", 1L, "accepted NONE", 1L, "plain 32", 1L, "found " + reason, 1L),
        judged());
  }

  @Test
  void foundInABatchThatIsRefusedForIt() {
    accept(Codec.GZIP, 100, 30);
    verdict.findings().add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 0, 0);
    verdict.findings().add(Reason.CODEC_BYTES_LEFT, 61, 0, 0);
    verdict.findings().enforce(verdict);
    assertEquals(
        Map.of(
            "refused", 1L,
            "refused GZIP", 1L,
            "refused RECORD_LENGTH_UNTRUE", 1L,
            "found RECORD_LENGTH_UNTRUE", 1L,
            "found CODEC_BYTES_LEFT", 1L),
        judged());
  }

  @Test
  void aBatchThatKafkaRefusesCountsNoFindings() {
    accept(Codec.GZIP, 100, 30);
    verdict.findings().add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 0, 0);
    verdict.refuse(Reason.RECORD_TRUNCATED, 61, 0, 0);
    assertEquals(
        Map.of("refused", 1L, "refused GZIP", 1L, "refused RECORD_TRUNCATED", 1L), judged());
  }

  @Test
  void aSnapshotStaysAsItIs() {
    accept(Codec.LZ4, 100, 250);
    counts.judged(verdict, null);
    Counts snapshot = counts.snapshot();
    Map<String, Long> before = NonZero.of(snapshot);
    assertEquals(NonZero.of(counts), before);
    counts.judged(verdict, null);
    assertEquals(before, NonZero.of(snapshot));
    assertEquals(2, counts.accepted());
    assertEquals(2, counts.plainBytes().countUpTo(8));
    assertEquals(0, counts.plainBytes().countUpTo(7));
    assertEquals(2, counts.plainBytes().countUpTo(31));
  }
}
