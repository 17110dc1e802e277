// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.policies;

import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.jspecify.annotations.Nullable;

/**
 * A cache of policies by the settings of an append, so that an append creates none. A broker has
 * few different settings, no matter how many topics it has.
 *
 * <p>If many different settings compete for the same entry, they replace each other. This costs a
 * few small objects per append. Safe for all threads without a lock, because policies are immutable
 * and equal policies are interchangeable.
 */
public final class Policies {
  private static final int ENTRIES = 1 << 6;

  /** The number of entries that are searched, from the home entry on. */
  private static final int PROBES = 8;

  private final PolicySection section;
  private final @Nullable Policy[] known = new @Nullable Policy[ENTRIES];
  private final @Nullable Policies[] limited = new @Nullable Policies[ENTRIES];

  /**
   * Creates an empty cache.
   *
   * @param section the rules of all policies
   */
  public Policies(PolicySection section) {
    this.section = section;
  }

  /**
   * {@return the policies with the broker's limit on one record of a compressed batch, if it is
   * lower than the limit of the settings}
   *
   * @param most the limit in bytes; a broker allows 1 to 2^31 - 9, and a value outside of this
   *     range counts as its nearest end
   */
  public Policies withRecordBytes(int most) {
    int legal = Math.max(1, Math.min(most, Limits.LARGEST_RECORD_BYTES));
    int bytes = Math.min(legal, section.limits().recordBytes());
    int home = mix(bytes);
    int free = home;
    for (int i = 0; i < PROBES; i++) {
      int index = (home + i) % ENTRIES;
      Policies policies = limited[index];
      if (policies == null) {
        free = index;
        break;
      }
      if (policies.section.limits().recordBytes() == bytes) {
        return policies;
      }
    }
    Policies policies =
        new Policies(section.withLimits(section.limits().with(Limit.RECORD_BYTES, bytes)));
    limited[free] = policies;
    return policies;
  }

  /**
   * {@return the policy for the arguments of {@code LogValidator}, for a topic that stores the
   * received codec}
   *
   * @param appendOrigin the origin of the records
   * @param type the timestamp type that the topic stores
   * @param beforeMaxMs the largest age of a timestamp, in milliseconds
   * @param afterMaxMs the largest distance of a timestamp into the future, in milliseconds
   * @param compacted true if every record needs a key
   * @param toMagic the magic that the topic stores
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
    int flags =
        (toMagic << 3)
            | (origin == Origin.CLIENT ? 4 : 0)
            | (timestampType == TimestampType.CREATE_TIME ? 2 : 0)
            | (compacted ? 1 : 0);
    int home = mix((beforeMaxMs * 31 + afterMaxMs) * 31 + flags);
    int free = home;
    for (int i = 0; i < PROBES; i++) {
      int index = (home + i) % ENTRIES;
      Policy policy = known[index];
      if (policy == null) {
        free = index;
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
        section.applyTo(
            Policy.builder(origin)
                .target(Target.PRODUCER.withMagic(toMagic).withTimestampType(timestampType))
                .timestampWindowMs(beforeMaxMs, afterMaxMs)
                .compactedTopic(compacted)
                .checkedByHost(true)
                .build());
    known[free] = policy;
    return policy;
  }

  private static int mix(long key) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> 58);
  }

  /** Maps the origin. Kafka's validator only distinguishes clients from all others. */
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
