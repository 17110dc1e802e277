// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * A policy and a time for an early inspection, chosen so that its verdict holds for an append a
 * little later. A batch that {@link #policy()} accepts at {@link #clock} is accepted by the
 * append's own policy at each time for which {@link #holds} returns true. The verdict is the same
 * in all but its time.
 *
 * <p>Time matters only for the window of create times. Kafka accepts timestamps from {@code now -
 * before} to {@code now + after} and, because of overflow, {@code now - 2^63}.
 *
 * <ul>
 *   <li>Without a bound on the past, this is one range, and both of its ends move with the clock.
 *       The plan requires that a timestamp is in the range of the latest time. It also requires
 *       that the timestamp is not after the end of the range of the earliest time. The timestamp is
 *       then in range at all times between them.
 *   <li>Without a bound on the future, the plan does the same with the ends exchanged.
 *   <li>With both bounds, the one overflowing timestamp is valid for one millisecond. The verdict
 *       therefore holds for the same millisecond only.
 * </ul>
 *
 * <p>See docs/decisions/012-agent.md. Immutable.
 */
final class InspectionPlan {
  /** The longest time that a verdict holds: longer than a healthy broker waits for a lock. */
  static final long MAX_AGE_MS = 10_000;

  private final Policy appendPolicy;
  private final Policy policy;
  private final long maxAgeMs;
  private final boolean atLatestTime;
  private final @Nullable Codec onlyCodec;

  private InspectionPlan(
      Policy appendPolicy,
      Policy policy,
      long maxAgeMs,
      boolean atLatestTime,
      @Nullable Codec onlyCodec) {
    this.appendPolicy = appendPolicy;
    this.policy = policy;
    this.maxAgeMs = maxAgeMs;
    this.atLatestTime = atLatestTime;
    this.onlyCodec = onlyCodec;
  }

  /**
   * Returns a plan.
   *
   * @param appendPolicy the policy of the append
   * @param onlyCodec the one codec that the log stores, or null if it stores all codecs
   */
  static InspectionPlan of(Policy appendPolicy, @Nullable Codec onlyCodec) {
    Policy storing = onlyCodec == null ? appendPolicy : storing(appendPolicy, onlyCodec);
    long before = appendPolicy.timestampBeforeMaxMs();
    long after = appendPolicy.timestampAfterMaxMs();
    if (appendPolicy.target().timestampType() == TimestampType.LOG_APPEND_TIME) {
      return new InspectionPlan(appendPolicy, storing, Long.MAX_VALUE, false, onlyCodec);
    }
    if (before == Long.MAX_VALUE && after >= 0) {
      long ms = Math.min(MAX_AGE_MS, after);
      Policy narrow = withWindow(storing, before, after - ms);
      return new InspectionPlan(appendPolicy, narrow, ms, true, onlyCodec);
    }
    if (after == Long.MAX_VALUE && before >= 0) {
      long ms = Math.min(MAX_AGE_MS, before);
      Policy narrow = withWindow(storing, before - ms, after);
      return new InspectionPlan(appendPolicy, narrow, ms, false, onlyCodec);
    }
    return new InspectionPlan(appendPolicy, storing, 0, false, onlyCodec);
  }

  private static Policy storing(Policy policy, Codec codec) {
    Target target = policy.target();
    return policy.toBuilder()
        .target(
            Target.of(codec).withMagic(target.magic()).withTimestampType(target.timestampType()))
        .build();
  }

  private static Policy withWindow(Policy policy, long before, long after) {
    return policy.toBuilder().timestampWindowMs(before, after).build();
  }

  /** {@return false if a verdict would hold for its own millisecond only} */
  boolean holdsLater() {
    return maxAgeMs > 0;
  }

  /** {@return the policy to inspect with} */
  Policy policy() {
    return policy;
  }

  /** {@return the time to inspect for} */
  long clock(long nowMs) {
    return atLatestTime ? nowMs + maxAgeMs : nowMs;
  }

  /** {@return true if a verdict still holds for an append at a later time} */
  boolean holds(long inspectedMs, long appendedMs) {
    return appendedMs >= inspectedMs && appendedMs - inspectedMs <= maxAgeMs;
  }

  /** {@return true if this plan was made for this object, not for another policy} */
  @SuppressWarnings("ReferenceEquality") // an equal policy may belong to rules that were replaced
  boolean isOf(Policy append) {
    return appendPolicy == append;
  }

  /** {@return true if this plan was made for a policy that equals that of the append} */
  boolean isFor(Policy append) {
    return appendPolicy.equals(append);
  }

  /** {@return the one codec that the log stores, or null if it stores all codecs} */
  @Nullable Codec onlyCodec() {
    return onlyCodec;
  }
}
