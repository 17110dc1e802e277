// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** A batch accepted early is accepted at each time for which the plan holds, despite overflow. */
class InspectionPlanTest {
  private static final long NOW = Batches.nowMs();
  private static final BatchValidator VALIDATOR = new BatchValidator();

  private static Policy window(long before, long after) {
    return Policy.builder(Origin.CLIENT)
        .timestampWindowMs(before, after)
        .checkedByHost(true)
        .build();
  }

  record Case(long before, long after, long laterMs, long timestamp) {}

  @Provide
  Arbitrary<Case> cases() {
    Arbitrary<Long> spans =
        Arbitraries.of(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1, 3_600_000L, 10_000L)
            .injectDuplicates(0.2);
    Arbitrary<Long> bounds = Arbitraries.oneOf(spans, Arbitraries.of(9_999L, 2L, 1L, 0L));
    Arbitrary<Long> later = Arbitraries.of(0L, 1L, 2L, 9_999L, 10_000L, 10_001L, -1L);
    Arbitrary<Long> near = Arbitraries.longs().between(-3, 3);
    return Combinators.combine(
            bounds, bounds, later, near, Arbitraries.integers().between(0, 5), later)
        .as((b, a, l, n, edge, shift) -> new Case(b, a, l, timestamp(edge, b, a) + n + shift));
  }

  private static long timestamp(int edge, long before, long after) {
    return switch (edge) {
      case 0 -> NOW - before;
      case 1 -> NOW + after;
      case 2 -> NOW + Long.MIN_VALUE;
      case 3 -> NOW;
      case 4 -> Long.MIN_VALUE;
      default -> Long.MAX_VALUE;
    };
  }

  private static boolean accepts(ByteBuffer batch, Policy policy, long nowMs) {
    return VALIDATOR.inspect(batch, policy, nowMs, new MutableVerdict());
  }

  private static int held;

  @Property(tries = 2_000, seed = "20261121")
  void aBatchAcceptedEarlyIsAcceptedLater(@ForAll("cases") Case it) {
    Policy append = window(it.before, it.after);
    InspectionPlan plan = InspectionPlan.of(append, null);
    ByteBuffer batch =
        Batches.ofAny(Codec.NONE, List.of(new SimpleRecord(it.timestamp, new byte[1])));
    if (plan.holds(NOW, NOW + it.laterMs) && accepts(batch, plan.policy(), plan.clock(NOW))) {
      assertTrue(accepts(batch, append, NOW + it.laterMs), it::toString);
      held++;
    }
  }

  @AfterContainer
  static void manyWereAcceptedEarly() {
    assertTrue(held > 100, held + " held");
  }

  @Test
  void holdsForAWhileAndNoLonger() {
    for (Policy append :
        List.of(window(Long.MAX_VALUE, 3_600_000), window(3_600_000, Long.MAX_VALUE))) {
      InspectionPlan plan = InspectionPlan.of(append, null);
      assertTrue(plan.holdsLater());
      assertTrue(plan.holds(NOW, NOW));
      assertTrue(plan.holds(NOW, NOW + InspectionPlan.MAX_AGE_MS));
      assertFalse(plan.holds(NOW, NOW + InspectionPlan.MAX_AGE_MS + 1));
      assertFalse(plan.holds(NOW, NOW - 1));
    }
  }

  /** With both bounds, the one overflowing timestamp changes each millisecond. */
  @Test
  void holdsForNoOtherTimeBetweenTwoBounds() {
    Policy append = window(3_600_000, 3_600_000);
    InspectionPlan plan = InspectionPlan.of(append, null);
    ByteBuffer wrapped =
        Batches.ofAny(Codec.NONE, List.of(new SimpleRecord(NOW + Long.MIN_VALUE, new byte[1])));
    assertTrue(accepts(wrapped, plan.policy(), plan.clock(NOW)));
    assertFalse(accepts(wrapped, append, NOW + 1));
    assertTrue(plan.holds(NOW, NOW));
    assertFalse(plan.holds(NOW, NOW + 1));
    assertFalse(plan.holdsLater());
    assertFalse(InspectionPlan.of(window(Long.MAX_VALUE, 0), null).holdsLater());
  }

  @Test
  void logAppendTimeHoldsAtAnyTime() {
    Policy append =
        Policy.builder(Origin.CLIENT)
            .target(Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME))
            .timestampWindowMs(5, 5)
            .build();
    InspectionPlan plan = InspectionPlan.of(append, null);
    assertSame(append, plan.policy());
    assertTrue(plan.holdsLater());
    assertTrue(plan.holds(NOW, NOW + 1_000_000_000));
  }

  @Test
  void thePolicyDiffersInTheWindowOnly() {
    Policy append =
        Policy.builder(Origin.CLIENT)
            .level(Level.STRICT)
            .observing(true)
            .limits(Limits.BROKER_DEFAULT)
            .timestampWindowMs(Long.MAX_VALUE, 3_600_000)
            .maxBatchBytes(77)
            .compactedTopic(true)
            .checkedByHost(true)
            .target(Target.PRODUCER.withMagic((byte) 1))
            .build();
    assertEquals(
        append.toBuilder().timestampWindowMs(Long.MAX_VALUE, 3_590_000).build(),
        InspectionPlan.of(append, null).policy());
  }
}
