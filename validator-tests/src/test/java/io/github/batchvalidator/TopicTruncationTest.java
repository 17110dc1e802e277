// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules that read the first bytes of a value do not change how a cut record is reported. */
class TopicTruncationTest {
  private static final TopicRules RULES =
      TopicRules.NONE.with(
          TopicRule.VALUE_STARTS, List.of(Prefix.of(new byte[] {'v', 'v', 'v', 'v', 'v'})));

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
  void missingBytesOfAValueAreReported(Codec codec) {
    byte[] plain = new RecordBytes().value(varint(40, 1), new byte[] {'v', 'v'}).toBytes();
    ByteBuffer batch = Batches.ofPlain(codec, 1, plain);
    try (BatchValidator validator = new BatchValidator()) {
      Verdict usual = BatchValidator.newVerdict();
      Verdict ruled = BatchValidator.newVerdict();
      Policy policy = Policy.builder(Origin.CLIENT).topicRules(RULES).build();
      assertFalse(validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), usual));
      assertFalse(validator.inspect(batch, policy, Batches.nowMs(), ruled));
      assertEquals(usual.describe(), ruled.describe());
      assertEquals(usual.secondOperand(), ruled.secondOperand());
    }
  }
}
