// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

class CaseTest {
  @Test
  void aNegativeCountNeedsNoOffsets() {
    SimpleRecord record = new SimpleRecord(Batches.nowMs(), new byte[1], new byte[1]);
    byte[] batch = Batches.of(Codec.NONE, record).array();
    HeaderField.RECORD_COUNT.set(ByteBuffer.wrap(batch), -1);
    assertTrue(Case.mayHaveOffsets(Answers.append(Codec.NONE, batch)));
  }
}
