// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** Inspects and stamps with one validator and one verdict, as a thread of a host would. */
final class CoreBody extends AppendBody {
  private final BatchValidator validator;
  private final Policy policy;
  private final Verdict verdict = new Verdict();

  CoreBody(BatchValidator validator, Policy policy, ProducedBatch... batches) {
    super(batches);
    this.validator = validator;
    this.policy = policy;
  }

  @Override
  Object append(ByteBuffer batch) {
    return append(validator, policy, batch, verdict);
  }

  private static Verdict append(
      BatchValidator validator, Policy policy, ByteBuffer batch, Verdict verdict) {
    long nowMs = System.currentTimeMillis();
    if (!validator.inspect(batch, policy, nowMs, verdict)) {
      throw new IllegalStateException(verdict.toString());
    }
    OffsetStamp.assign(batch, verdict, FIRST_OFFSET, LEADER_EPOCH, nowMs);
    return verdict;
  }

  @Override
  public int records() {
    return verdict.recordCount();
  }

  @Override
  public void close() {
    validator.close();
  }

  /** The same with a validator that is new for each batch, and closed behind it. */
  static final class Cold extends AppendBody {
    private final Supplier<BatchValidator> validators;
    private final Verdict verdict = new Verdict();

    Cold(Supplier<BatchValidator> validators, ProducedBatch... batches) {
      super(batches);
      this.validators = validators;
    }

    @Override
    Object append(ByteBuffer batch) {
      try (BatchValidator fresh = validators.get()) {
        return CoreBody.append(fresh, Policies.LIKE_LOG_VALIDATOR, batch, verdict);
      }
    }

    @Override
    public int records() {
      return verdict.recordCount();
    }
  }
}
