// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The share of the guard in the CPU of a compaction. {@code mvn verify} takes little data, {@code
 * scripts/compaction-cost} more.
 */
class CompactionCostIT {
  private static final int MEBIBYTES = Integer.getInteger("compaction.mebibytes", 0);
  private static final int ROUNDS = MEBIBYTES == 0 ? 3 : 8;
  private static final int RECORDS = 16;
  private static final int VALUE_BYTES = 1000;

  @TempDir private Path root;

  @Test
  void aCheckCostsLessThanTheCompaction() throws Exception {
    List<Codec> codecs = MEBIBYTES == 0 ? List.of(Codec.NONE) : List.of(Codec.values());
    try (CleaningSide stock = CleaningSide.stock("4.3.1");
        CleaningSide ours = CleaningSide.guarded("4.3.1", "enforce")) {
      for (Codec codec : codecs) {
        byte[][] batches = batches(codec, Math.max(4, MEBIBYTES) << 20);
        long[] best = {Long.MAX_VALUE, Long.MAX_VALUE};
        for (int round = 0; round < ROUNDS; round++) {
          best[0] = Math.min(best[0], stock.cost(write("s" + codec + round, batches)));
          best[1] = Math.min(best[1], ours.cost(write("o" + codec + round, batches)));
        }
        double share = 100.0 * (best[1] - best[0]) / best[0];
        System.out.printf(
            "| %s | %d | %d | %.1f %% |%n", codec, best[0] / 1_000_000, best[1] / 1_000_000, share);
        assertTrue(share < 100, codec + ": " + share);
      }
    }
  }

  /** Returns batches of which each key is in about two. */
  private static byte[][] batches(Codec codec, int plainBytes) {
    SplittableRandom random = new SplittableRandom(1);
    int count = plainBytes / RECORDS / VALUE_BYTES;
    byte[][] batches = new byte[count][];
    for (int i = 0; i < count; i++) {
      SimpleRecord[] records = new SimpleRecord[RECORDS];
      for (int r = 0; r < RECORDS; r++) {
        String key = "key-" + random.nextInt(count * RECORDS / 2);
        records[r] =
            new SimpleRecord(Batches.nowMs(), key.getBytes(StandardCharsets.UTF_8), value(random));
      }
      ByteBuffer batch = CompactedPartition.batch((long) i * RECORDS, codec, records);
      batches[i] = new byte[batch.remaining()];
      batch.get(batches[i]);
    }
    return batches;
  }

  /** Returns text that compresses to about half of its size. */
  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) ('a' + random.nextInt(16));
    }
    return value;
  }

  private Path write(String name, byte[][] batches) throws Exception {
    CompactedPartition partition = new CompactedPartition(root.resolve(name).resolve("t-0"));
    for (byte[] each : batches) {
      partition.first(ByteBuffer.wrap(each));
    }
    return partition.write();
  }
}
