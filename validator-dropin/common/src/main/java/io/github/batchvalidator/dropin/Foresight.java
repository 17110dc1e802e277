// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * How a batch is inspected now so that the verdict is that of an append a little later: a batch
 * that {@link #policy()} accepts at {@link #clock} of some time is accepted by the append's own
 * policy at every time for which {@link #holds} says so, with the same verdict in all but its time.
 *
 * <p>Time matters for nothing but the window of create times. Kafka accepts the timestamps from
 * {@code now - before} to {@code now + after} and, since it wraps, {@code now - 2^63}. With no
 * bound on the past that is one range whose ends both move with the clock: what lies in that of the
 * latest time and {@code after} of the earliest lies in all between. With no bound on the future it
 * is the other way round. With both bounds the one wrapped timestamp moves by itself, and only the
 * very same millisecond will do. (docs/decisions/012-agent.md)
 *
 * <p>Immutable.
 */
final class Foresight {
  /** Longer than a thread ever waits for a lock that is not in trouble. */
  static final long MOST_MS = 10_000;

  private final Policy told;
  private final Policy policy;
  private final long aheadMs;
  private final boolean atTheEnd;
  private final @Nullable Codec onlyCodec;

  private Foresight(
      Policy told, Policy policy, long aheadMs, boolean atTheEnd, @Nullable Codec onlyCodec) {
    this.told = told;
    this.policy = policy;
    this.aheadMs = aheadMs;
    this.atTheEnd = atTheEnd;
    this.onlyCodec = onlyCodec;
  }

  /**
   * Makes one.
   *
   * @param told the policy of an append
   * @param onlyCodec of batches that are not written anew, or null if all codecs are stored
   */
  static Foresight of(Policy told, @Nullable Codec onlyCodec) {
    Policy storing = onlyCodec == null ? told : storing(told, onlyCodec);
    long before = told.timestampBeforeMaxMs();
    long after = told.timestampAfterMaxMs();
    if (told.target().timestampType() == TimestampType.LOG_APPEND_TIME) {
      return new Foresight(told, storing, Long.MAX_VALUE, false, onlyCodec);
    }
    if (before == Long.MAX_VALUE && after >= 0) {
      long ms = Math.min(MOST_MS, after);
      return new Foresight(told, withWindow(storing, before, after - ms), ms, true, onlyCodec);
    }
    if (after == Long.MAX_VALUE && before >= 0) {
      long ms = Math.min(MOST_MS, before);
      return new Foresight(told, withWindow(storing, before - ms, after), ms, false, onlyCodec);
    }
    return new Foresight(told, storing, 0, false, onlyCodec);
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

  /** {@return false if an inspection would hold for its own millisecond alone} */
  boolean lasts() {
    return aheadMs > 0;
  }

  /** {@return what the batch is inspected by} */
  Policy policy() {
    return policy;
  }

  /** {@return the time that it is inspected for} */
  long clock(long nowMs) {
    return atTheEnd ? nowMs + aheadMs : nowMs;
  }

  /** {@return true if an inspection holds for an append at a later time} */
  boolean holds(long inspectedMs, long appendedMs) {
    return appendedMs >= inspectedMs && appendedMs - inspectedMs <= aheadMs;
  }

  /** {@return true if an append is judged as was foreseen} */
  boolean isFor(Policy appends) {
    return told.equals(appends);
  }

  /** {@return the codec of batches that are not written anew, or null if it may be any} */
  @Nullable Codec onlyCodec() {
    return onlyCodec;
  }
}
