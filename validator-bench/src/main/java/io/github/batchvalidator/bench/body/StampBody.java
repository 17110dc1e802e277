// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/**
 * Stamps in turn batches that are validated already. Before each stamp the batch is made again what
 * a client sends: with another type of timestamps, another time and their checksum.
 */
abstract class StampBody implements Body {
  private static final long FIRST_NOW_MS = 1_800_000_000_000L;

  private final ByteBuffer[] batches;
  private final int[] checksums;
  private final short[] attributes;
  private final long[] maxTimestamps;
  private final int records;
  private int turn;
  private long nowMs = FIRST_NOW_MS;

  private StampBody(ProducedBatch... batches) {
    this.batches = ProducedBatch.copies(batches);
    records = batches[0].records();
    checksums = new int[batches.length];
    attributes = new short[batches.length];
    maxTimestamps = new long[batches.length];
    for (int i = 0; i < batches.length; i++) {
      checksums[i] = batch(i).getInt(BatchLayout.CRC_OFFSET);
      attributes[i] = batch(i).getShort(BatchLayout.ATTRIBUTES_OFFSET);
      maxTimestamps[i] = batch(i).getLong(BatchLayout.MAX_TIMESTAMP_OFFSET);
    }
  }

  @Override
  public final Object run() {
    int i = turn;
    ByteBuffer batch = next();
    stamp(i, ++nowMs);
    return batch;
  }

  /** Returns the next batch as a client sends it. */
  final ByteBuffer next() {
    int i = turn;
    turn = i + 1 < batches.length ? i + 1 : 0;
    BigEndian.putInt(batches[i], BatchLayout.CRC_OFFSET, checksums[i]);
    BigEndian.putShort(batches[i], BatchLayout.ATTRIBUTES_OFFSET, attributes[i]);
    BigEndian.putLong(batches[i], BatchLayout.MAX_TIMESTAMP_OFFSET, maxTimestamps[i]);
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
    private final OffsetStamp stamp = new OffsetStamp();
    private final Verdict[] verdicts;

    Spliced(ProducedBatch... batches) {
      super(batches);
      Policy policy = Policies.APPEND_TIME;
      verdicts = new Verdict[batches.length];
      try (BatchValidator validator = new BatchValidator()) {
        for (int i = 0; i < verdicts.length; i++) {
          verdicts[i] = BatchValidator.newVerdict();
          if (!validator.inspect(batch(i), policy, FIRST_NOW_MS, verdicts[i])) {
            throw new IllegalStateException(verdicts[i].toString());
          }
        }
      }
    }

    /** Ties the verdict to the restored batch first, which copies its header. */
    @Override
    void stamp(int i, long now) {
      MutableVerdict.of(verdicts[i]).seal(batch(i));
      stamp
          .firstOffset(AppendBody.FIRST_OFFSET)
          .leaderEpoch(AppendBody.LEADER_EPOCH)
          .nowMs(now)
          .assign(batch(i), verdicts[i]);
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
