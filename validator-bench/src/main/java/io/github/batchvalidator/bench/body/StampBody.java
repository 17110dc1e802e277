// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/**
 * Stamps in turn batches that are validated already. The time moves on with each stamp, so that
 * each has something to write.
 */
abstract class StampBody implements Body {
  private static final long FIRST_NOW_MS = 1_800_000_000_000L;

  private final ByteBuffer[] batches;
  private final int records;
  private int turn;
  private long nowMs = FIRST_NOW_MS;

  private StampBody(ProducedBatch... batches) {
    this.batches = ProducedBatch.copies(batches);
    records = batches[0].records();
  }

  @Override
  public final Object run() {
    int i = turn;
    turn = i + 1 < batches.length ? i + 1 : 0;
    stamp(i, ++nowMs);
    return batches[i];
  }

  abstract void stamp(int i, long now);

  final ByteBuffer batch(int i) {
    return batches[i];
  }

  @Override
  public final int records() {
    return records;
  }

  static final class Spliced extends StampBody {
    private final Verdict[] verdicts;

    Spliced(ProducedBatch... batches) {
      super(batches);
      Policy policy = Policies.APPEND_TIME;
      verdicts = new Verdict[batches.length];
      try (BatchValidator validator = new BatchValidator()) {
        for (int i = 0; i < verdicts.length; i++) {
          verdicts[i] = new Verdict();
          if (!validator.inspect(batch(i), policy, FIRST_NOW_MS, verdicts[i])) {
            throw new IllegalStateException(verdicts[i].toString());
          }
        }
      }
    }

    @Override
    void stamp(int i, long now) {
      OffsetStamp.assign(
          batch(i), verdicts[i], AppendBody.FIRST_OFFSET, AppendBody.LEADER_EPOCH, now);
    }
  }

  static final class Recomputed extends StampBody {
    private final MutableRecordBatch[] read;

    Recomputed(ProducedBatch... batches) {
      super(batches);
      read = new MutableRecordBatch[batches.length];
      for (int i = 0; i < read.length; i++) {
        read[i] = MemoryRecords.readableRecords(batch(i)).batches().iterator().next();
      }
    }

    @Override
    void stamp(int i, long now) {
      read[i].setLastOffset(AppendBody.FIRST_OFFSET + records() - 1);
      read[i].setMaxTimestamp(TimestampType.LOG_APPEND_TIME, now);
      read[i].setPartitionLeaderEpoch(AppendBody.LEADER_EPOCH);
    }
  }
}
