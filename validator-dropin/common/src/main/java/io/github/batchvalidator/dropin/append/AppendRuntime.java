// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.policies.Policies;
import io.github.batchvalidator.dropin.policies.TopicPolicies;
import io.github.batchvalidator.dropin.refusal.Refusals;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/** The objects that all appends of a broker share. Immutable, safe for all threads. */
public final class AppendRuntime {
  private final TopicPolicies policies;
  private final ValidatorPool validators;
  private final Supplier<EarlyInspection> early;

  /**
   * Creates a runtime.
   *
   * @param policies the policies of all topics
   * @param validators the pool of validators
   * @param early returns the calling thread's early inspection, or {@link EarlyInspection#NONE}
   */
  public AppendRuntime(
      TopicPolicies policies, ValidatorPool validators, Supplier<EarlyInspection> early) {
    this.policies = policies;
    this.validators = validators;
    this.early = early;
    Refusals.prepare();
  }

  /**
   * {@return the policies of the topic of a partition}
   *
   * @param partition the partition
   */
  public Policies policies(TopicPartition partition) {
    return policies.of(partition.topic());
  }

  /** {@return the pool of validators} */
  public ValidatorPool validators() {
    return validators;
  }

  EarlyInspection earlyInspection() {
    return early.get();
  }
}
