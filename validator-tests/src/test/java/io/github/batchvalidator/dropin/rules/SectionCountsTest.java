// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.dropin.append.TopicPolicies;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SectionCountsTest {
  private final TopicPolicies policies = new TopicPolicies(PolicySection.KAFKA);
  private final SectionCounts counts = new SectionCounts(policies);
  private final MutableVerdict verdict = new MutableVerdict();

  @Test
  void countsBySection(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("p"), "topics.a.match=orders*\n");
    policies.replace(PolicyFile.load(file));
    verdict.conclude();
    counts.judged(verdict, new TopicPartition("orders-1", 0));
    verdict.findings().add(Reason.TOPIC_KEY_MISSING, 0, 0, 0);
    counts.judged(verdict, new TopicPartition("orders-1", 7));
    counts.judged(verdict, new TopicPartition("other", 7));
    verdict.refuse(Reason.BATCH_TOO_LARGE, 0, 0, 0);
    counts.judged(verdict, new TopicPartition("orders-2", 7));
    counts.judged(verdict, new TopicPartition("orders-3", 7));
    counts.judged(verdict, null);
    assertEquals(Map.of("a", 1L, "default", 1L), counts.found());
    assertEquals(Map.of("a", 2L, "default", 1L), counts.refused());
  }
}
