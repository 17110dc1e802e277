// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the last append to one log, from which the next inspection is planned. The agent
 * keeps this object in a field of the log.
 *
 * <p>Safe for all threads without a lock: plans are immutable, and an outdated plan costs one
 * fallback.
 */
final class LastAppend {
  private @Nullable InspectionPlan plan;

  /** {@return the plan for the next inspection, or null before the first append} */
  @Nullable InspectionPlan plan() {
    return plan;
  }

  /**
   * Updates the plan. Equal source and target may be a coincidence. If they differ, the topic sets
   * a codec; this is assumed until the topic stores another codec.
   *
   * @param policy the policy of a client's append
   * @param source the source codec that the caller passed
   * @param target the codec that the topic stores
   */
  void update(Policy policy, Codec source, Codec target) {
    InspectionPlan last = plan;
    Codec only = source != target || (last != null && last.onlyCodec() == target) ? target : null;
    if (last == null || last.onlyCodec() != only || !last.isOf(policy)) {
      plan = InspectionPlan.of(policy, only);
    }
  }
}
