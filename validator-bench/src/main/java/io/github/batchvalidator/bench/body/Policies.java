// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;

/** What batches are judged by: a topic as {@link BrokerBody} has it. */
final class Policies {
  /** What {@code LogValidator} checks: CRC, size and base offset are left to its caller. */
  static final Policy LIKE_LOG_VALIDATOR = topic().checkedByHost(true).build();

  /** The same, and what Kafka stores and readers choke on. */
  static final Policy STRICT = topic().checkedByHost(true).level(Level.STRICT).build();

  /** All checks. */
  static final Policy ALL_CHECKS = topic().maxBatchBytes(Integer.MAX_VALUE).build();

  /** The same in a topic that stores the time of the append. */
  static final Policy APPEND_TIME =
      topic()
          .checkedByHost(true)
          .target(Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME))
          .build();

  private Policies() {}

  static Policy.Builder topic() {
    return Policy.builder(Origin.CLIENT).timestampWindowMs(Long.MAX_VALUE, AppendBody.AFTER_MAX_MS);
  }
}
