// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** What zstd batches beyond the ordinary cost: streamed ones, and ones with huge windows. */
class ZstdMemoryTest {
  private final Verdict verdict = new Verdict();

  @Test
  void aBatchTooLargeForOneCallIsStreamed() {
    byte[] plain = Batches.plainRecords(new SimpleRecord(Batches.nowMs(), new byte[1 << 20]));
    ByteBuffer batch = Batches.ofPlain(Codec.ZSTD, 1, plain);
    try (BatchValidator validator = new BatchValidator()) {
      assertTrue(validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict));
    }
    assertEquals(plain.length, verdict.plainBytes());
  }
}
