// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;

/** What batches are judged by: a topic as {@link BrokerBody} has it. */
final class Policies {
  /** What {@code LogValidator} checks: CRC, size and base offset are left to its caller. */
  static final Policy LIKE_LOG_VALIDATOR = topic().callerChecks(false).build();

  /** All checks. */
  static final Policy ALL_CHECKS = topic().maxBatchBytes(Integer.MAX_VALUE).build();

  private Policies() {}

  static Policy.Builder topic() {
    return Policy.builder(Origin.CLIENT).timestampWindowMs(Long.MAX_VALUE, AppendBody.AFTER_MAX_MS);
  }
}
