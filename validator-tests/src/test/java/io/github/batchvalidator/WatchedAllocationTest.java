// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.policy.SectionCounts;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationCounts;
import io.github.batchvalidator.watch.ValidationListener;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counts, and events without a recording, allocate nothing, whatever the verdict. */
class WatchedAllocationTest {
  private final ValidationCounts counts = new ValidationCounts();
  private final SectionCounts sections = new SectionCounts();
  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  static List<AllocationCase> cases() {
    return AllocationCase.all().stream()
        .filter(each -> each.records() == 100)
        .filter(each -> each.memory() == AllocationCase.Memory.HEAP)
        .filter(each -> each.timestampType() == TimestampType.CREATE_TIME)
        .toList();
  }

  @BeforeEach
  void watch() {
    validator.listener(counts.and(sections).and(ValidationListener.flightRecorder()));
  }

  @AfterEach
  void close() {
    validator.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void everyVerdict(AllocationCase given) {
    ByteBuffer batch = given.batch();
    Policy policy = given.policy();
    assertEquals(0, measure(batch, policy));
    assertEquals(given.input().reason, verdict.reason());
    assertEquals(verdict.accepted(), counts.accepted() > 0);
    assertEquals(!verdict.accepted(), counts.refused() > 0);
    assertEquals(counts.refused(), sections.refused(Policy.DEFAULT_SECTION));
  }

  private long measure(ByteBuffer batch, Policy policy) {
    long now = Batches.nowMs();
    return AllocationMeter.bytesPerCall(() -> validator.inspect(batch, policy, now, verdict));
  }

  @Test
  void findings() {
    ByteBuffer batch =
        Batches.ofPlain(Codec.LZ4, 1, new RecordBytes().attributes(1).lengthError(1).toBytes());
    assertEquals(0, measure(batch, Policy.builder(Origin.CLIENT).observing(true).build()));
    assertTrue(verdict.accepted());
    assertEquals(0, measure(batch, Policy.builder(Origin.CLIENT).level(Level.STRICT).build()));
    assertEquals(2, verdict.findings().count());
    assertTrue(counts.accepted() > 0 && counts.refused() > 0);
    assertTrue(sections.found(Policy.DEFAULT_SECTION) > counts.refused());
  }
}
