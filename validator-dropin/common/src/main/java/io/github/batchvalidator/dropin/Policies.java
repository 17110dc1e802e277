// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.jspecify.annotations.Nullable;

/**
 * Finds the policy for the settings of an append, so that an append makes none: a broker has few
 * different settings, however many topics it has.
 *
 * <p>Where there are so many different ones that a place is disputed, they take it in turns, which
 * costs some small objects per append and nothing else. Safe for several threads without a lock: a
 * policy is immutable, and which of two equal ones is found does not matter.
 */
public final class Policies {
  private static final int PLACES = 1 << 6;

  /** From its own place on, so that settings that share one lie beside each other. */
  private static final int PLACES_TRIED = 8;

  private final Level level;
  private final boolean observe;
  private final Limits limits;
  private final @Nullable Policy[] known = new @Nullable Policy[PLACES];
  private final @Nullable Policies[] limited = new @Nullable Policies[PLACES];

  Policies(Level level, boolean observe, Limits limits) {
    this.level = level;
    this.observe = observe;
    this.limits = limits;
  }

  /**
   * {@return the policies with the bound on one record of a compressed batch that a broker has, if
   * it is tighter than that of the settings}
   *
   * @param most bytes; a broker allows 1 to 2^31 - 9, and what lies outside is taken for the
   *     nearest
   */
  public Policies withRecordBytes(int most) {
    int legal = Math.max(1, Math.min(most, Limits.LARGEST_RECORD_BYTES));
    int bytes = Math.min(legal, limits.recordBytes());
    int home = mix(bytes);
    int free = home;
    for (int i = 0; i < PLACES_TRIED; i++) {
      int place = (home + i) % PLACES;
      Policies policies = limited[place];
      if (policies == null) {
        free = place;
        break;
      }
      if (policies.limits.recordBytes() == bytes) {
        return policies;
      }
    }
    Policies policies = new Policies(level, observe, limits.with(Limit.RECORD_BYTES, bytes));
    limited[free] = policies;
    return policies;
  }

  /**
   * {@return the policy for the arguments of {@code LogValidator}, for a topic that stores the
   * received codec}
   *
   * @param appendOrigin where the records come from
   * @param type what the topic stores
   * @param beforeMaxMs how far a timestamp may lie before now
   * @param afterMaxMs how far it may lie after now
   * @param compacted true if every record needs a key
   * @param toMagic what the log stores
   */
  public Policy of(
      AppendOrigin appendOrigin,
      org.apache.kafka.common.record.TimestampType type,
      long beforeMaxMs,
      long afterMaxMs,
      boolean compacted,
      byte toMagic) {
    Origin origin = origin(appendOrigin);
    TimestampType timestampType = timestampType(type);
    long all = beforeMaxMs * 31 + afterMaxMs;
    all = all * 31 + toMagic;
    all = all * 31 + (origin == Origin.CLIENT ? 1 : 0);
    all = all * 31 + (timestampType == TimestampType.CREATE_TIME ? 1 : 0);
    int home = mix(all * 31 + (compacted ? 1 : 0));
    int free = home;
    for (int i = 0; i < PLACES_TRIED; i++) {
      int place = (home + i) % PLACES;
      Policy policy = known[place];
      if (policy == null) {
        free = place;
        break;
      }
      if (policy.origin() == origin
          && policy.target().timestampType() == timestampType
          && policy.timestampBeforeMaxMs() == beforeMaxMs
          && policy.timestampAfterMaxMs() == afterMaxMs
          && policy.compactedTopic() == compacted
          && policy.target().magic() == toMagic) {
        return policy;
      }
    }
    Policy policy =
        Policy.builder(origin)
            .level(level)
            .observing(observe)
            .limits(limits)
            .target(Target.PRODUCER.withMagic(toMagic).withTimestampType(timestampType))
            .timestampWindowMs(beforeMaxMs, afterMaxMs)
            .compactedTopic(compacted)
            .checkedByHost(true)
            .build();
    known[free] = policy;
    return policy;
  }

  private static int mix(long key) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> 58);
  }

  /** Kafka's class treats all but clients alike. */
  private static Origin origin(AppendOrigin origin) {
    return switch (origin) {
      case CLIENT -> Origin.CLIENT;
      case COORDINATOR -> Origin.COORDINATOR;
      case REPLICATION, RAFT_LEADER -> Origin.REPLICATION;
    };
  }

  private static TimestampType timestampType(org.apache.kafka.common.record.TimestampType type) {
    return type == org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME
        ? TimestampType.LOG_APPEND_TIME
        : TimestampType.CREATE_TIME;
  }
}
