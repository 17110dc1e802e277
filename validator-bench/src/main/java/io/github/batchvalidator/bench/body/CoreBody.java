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
class CoreBody extends AppendBody {
  private final BatchValidator validator;
  private final Policy policy;
  private final OffsetStamp stamp = new OffsetStamp();
  private final Verdict verdict = BatchValidator.newVerdict();
  private long nowMs;

  CoreBody(BatchValidator validator, Policy policy, ProducedBatch... batches) {
    super(batches);
    this.validator = validator;
    this.policy = policy;
  }

  @Override
  void prepare(ByteBuffer batch) {
    if (!inspect(validator, batch)) {
      throw new IllegalStateException(verdict.toString());
    }
  }

  final boolean inspect(BatchValidator with, ByteBuffer batch) {
    nowMs = System.currentTimeMillis();
    return with.inspect(batch, policy, nowMs, verdict);
  }

  @Override
  long append(ByteBuffer batch, long firstOffset) {
    stamp.firstOffset(firstOffset).leaderEpoch(LEADER_EPOCH).nowMs(nowMs);
    return stamp.assign(batch, verdict);
  }

  final BatchValidator validator() {
    return validator;
  }

  @Override
  final Verdict answer() {
    return verdict;
  }

  @Override
  public final int records() {
    return verdict.recordCount();
  }

  @Override
  public final void close() {
    validator.close();
  }

  /** The same with a new validator for each batch, closed after the batch. */
  static final class Cold extends CoreBody {
    private final Supplier<BatchValidator> validators;

    Cold(Supplier<BatchValidator> validators, ProducedBatch... batches) {
      super(validators.get(), Policies.LIKE_LOG_VALIDATOR, batches);
      this.validators = validators;
    }

    @Override
    void prepare(ByteBuffer batch) {
      try (BatchValidator fresh = validators.get()) {
        if (!inspect(fresh, batch)) {
          throw new IllegalStateException(answer().toString());
        }
      }
    }
  }

  /** The same where a refusal is an answer as good as any. */
  static final class Refusing extends CoreBody {
    Refusing(Policy policy, ProducedBatch... batches) {
      super(new BatchValidator(), policy, batches);
    }

    @Override
    void prepare(ByteBuffer batch) {
      inspect(validator(), batch);
    }

    @Override
    long append(ByteBuffer batch, long firstOffset) {
      return answer().accepted() ? super.append(batch, firstOffset) : firstOffset;
    }
  }
}
