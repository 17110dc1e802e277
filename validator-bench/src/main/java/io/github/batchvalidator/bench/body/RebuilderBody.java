// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Checks and rebuilds with one rebuilder, and copies each batch to new memory, as a log needs. */
final class RebuilderBody extends AppendBody {
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final OffsetStamp stamp = new OffsetStamp();
  private final Verdict verdict = BatchValidator.newVerdict();
  private final Policy policy;
  private int records;
  private ByteBuffer stored = ByteBuffer.allocate(0);

  RebuilderBody(Codec target, ProducedBatch... batches) {
    super(batches);
    policy = Policies.topic().checkedByHost(true).target(Target.of(target)).build();
  }

  @Override
  @SuppressWarnings("ByteBufferBackingArray") // memory of the rebuilder, from position 0
  long append(ByteBuffer batch, long firstOffset) {
    long nowMs = System.currentTimeMillis();
    if (!rebuilder.rebuild(batch, policy, nowMs, verdict)) {
      throw new IllegalStateException(verdict.toString());
    }
    ByteBuffer rebuilt = rebuilder.batch();
    stored = ByteBuffer.wrap(Arrays.copyOf(rebuilt.array(), rebuilt.limit()));
    records = verdict.recordCount();
    stamp.firstOffset(firstOffset).leaderEpoch(LEADER_EPOCH).nowMs(nowMs);
    return stamp.assign(stored, verdict);
  }

  @Override
  ByteBuffer answer() {
    return stored;
  }

  @Override
  public int records() {
    return records;
  }

  @Override
  public void close() {
    rebuilder.close();
  }
}
