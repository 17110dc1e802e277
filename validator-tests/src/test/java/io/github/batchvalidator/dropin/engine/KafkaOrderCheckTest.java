// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A second check costs as much as Kafka's, so it is left out if Kafka cannot find the fault. */
class KafkaOrderCheckTest {
  private static ByteBuffer twoRecords() {
    Header[] headers = {new RecordHeader("a", new byte[9]), new RecordHeader("b", new byte[9])};
    SimpleRecord record = new SimpleRecord(1, new byte[500], new byte[2 << 20], headers);
    return Batches.of(Codec.GZIP, record, record); // above the free bytes of a ratio
  }

  private static MutableVerdict verdict(ByteBuffer batch, Limits limits) {
    MutableVerdict verdict = new MutableVerdict(0);
    Policy policy = Policy.CLIENT.toBuilder().limits(limits).build();
    try (BatchValidator validator = new BatchValidator()) {
      validator.inspect(batch, policy, Batches.nowMs(), verdict);
    }
    return verdict;
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN_BYTES, 600, LIMIT_PLAIN_BYTES, false",
    "RATIO, 2, LIMIT_RATIO, false",
    "RECORDS, 1, LIMIT_RECORDS, false",
    "HEADERS, 1, LIMIT_HEADERS, false",
    "HEADER_BYTES, 20, LIMIT_HEADER_BYTES, false",
    "RECORD_BYTES, 600, LIMIT_RECORD_BYTES, true", // as max.decompressed.message.bytes
  })
  void onlyTheLimitThatKafkaHasIsCheckedTwice(
      Limit limit, long value, Reason reason, boolean isNeeded) {
    MutableVerdict verdict = verdict(twoRecords(), Limits.UNBOUNDED_AS_KAFKA.with(limit, value));
    assertEquals(reason, verdict.reason());
    assertEquals(isNeeded, KafkaOrderCheck.isNeeded(verdict));
  }

  @Test
  void aCorruptStreamIsCheckedTwice() {
    ByteBuffer batch = twoRecords();
    int end = batch.limit();
    batch.put(end - 5, (byte) ~batch.get(end - 5)); // in the CRC of gzip
    MutableVerdict verdict = verdict(Batches.fixCrc(batch), Limits.UNBOUNDED_AS_KAFKA);
    assertEquals(Reason.CODEC_CHECKSUM_MISMATCH, verdict.reason());
    assertTrue(KafkaOrderCheck.isNeeded(verdict));
  }
}
