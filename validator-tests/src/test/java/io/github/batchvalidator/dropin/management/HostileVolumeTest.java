// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.broker.HostileBatch;
import io.github.batchvalidator.dropin.LoggedLines;
import io.github.batchvalidator.micrometer.ValidationMeters;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.watch.ValidationCounts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Hostile clients can make neither lines of the log nor meters as they like. */
class HostileVolumeTest {
  private static final int ROUNDS = 5;
  private static final int MOST_CHARS = 705; // of which the level takes five

  /** As long as the name of a topic may be. */
  private static final String TOPIC = "t".repeat(249);

  private static final List<Policy> POLICIES =
      List.of(
          Policy.builder(Origin.CLIENT).observing(true).build(),
          Policy.builder(Origin.CLIENT).level(Level.STRICT).build());

  private final List<String> logged = new ArrayList<>();
  private final ValidationCounts counts = new ValidationCounts();

  /** Its clock stands still. */
  private final FindingLog log = new FindingLog(counts, () -> 0, LoggedLines.into(logged));

  private void judge(List<HostileBatch> batches, int round) {
    Verdict verdict = BatchValidator.newVerdict();
    try (BatchValidator validator = new BatchValidator()) {
      for (HostileBatch batch : batches) {
        for (Policy policy : POLICIES) {
          validator.inspect(ByteBuffer.wrap(batch.bytes()), policy, Batches.nowMs(), verdict);
          counts.judged(verdict, null);
          log.judged(verdict, new TopicPartition(TOPIC, round));
        }
      }
    }
  }

  @Test
  void linesAndMetersDoNotGrowWithBatches() {
    List<HostileBatch> batches = HostileBatch.damaged("4.3");
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new ValidationMeters(counts).bindTo(registry);
    int meters = registry.getMeters().size();
    judge(batches, 0);
    int lines = logged.size();
    assertTrue(lines > 0);
    assertTrue(lines <= 2 * Arrays.stream(Reason.values()).filter(Reason::isFinding).count());
    for (int round = 1; round < ROUNDS; round++) {
      judge(batches, round);
    }
    assertEquals(lines, logged.size());
    assertEquals(meters, registry.getMeters().size());
    logged.forEach(line -> assertTrue(line.length() <= MOST_CHARS, line));
  }
}
