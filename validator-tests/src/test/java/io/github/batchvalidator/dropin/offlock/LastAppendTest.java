// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The plan that the last append to a log leaves. */
class LastAppendTest {
  private final LastAppend last = new LastAppend();

  @Test
  void thePlanStaysWhileThePolicyIsTheSame() {
    Policy policy = Policy.CLIENT.toBuilder().build();
    last.update(policy, Codec.LZ4, Codec.LZ4);
    InspectionPlan plan = last.plan();
    assertNotNull(plan);
    last.update(policy, Codec.LZ4, Codec.LZ4);
    assertSame(plan, last.plan());
  }

  /** A plan that stayed would keep rules that were replaced, and compare them at each append. */
  @Test
  void anEqualPolicyReplacesThePlan() {
    last.update(Policy.CLIENT.toBuilder().build(), Codec.LZ4, Codec.LZ4);
    Policy reloaded = Policy.CLIENT.toBuilder().build();
    InspectionPlan before = Objects.requireNonNull(last.plan());
    assertTrue(before.isFor(reloaded));
    last.update(reloaded, Codec.LZ4, Codec.LZ4);
    assertTrue(Objects.requireNonNull(last.plan()).isOf(reloaded));
  }
}
