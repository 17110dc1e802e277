// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import static io.github.batchvalidator.agent.compaction.CompactedPartition.SECOND;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.batch;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.stored.BrokerPath;
import io.github.batchvalidator.agent.stored.OtherDropIn;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guard of compaction works beside a drop-in of another version, which comes before the agent
 * on the class path. {@link CompactionGuardIT} has no drop-in.
 */
class OtherDropInIT {
  private static final String VERSION = "4.3.1";

  @TempDir private Path root;

  private CleaningSide beside(Path agent) throws Exception {
    Path dropIn = OtherDropIn.write("4.3", root.resolve("drop-in.jar"));
    return CleaningSide.guarded(BrokerPath.withDropIn(dropIn, VERSION, agent), "enforce");
  }

  /** Fills a partition with a segment of all codecs. */
  private CompactedPartition partition(String name) {
    CompactedPartition partition = new CompactedPartition(root.resolve(name).resolve("t-0"));
    long offset = 0;
    for (Codec codec : Codec.values()) {
      partition.first(batch(offset++, codec, put("a", codec.name())));
    }
    partition.second(batch(SECOND, Codec.NONE, put("a", "new")));
    return partition;
  }

  @Test
  void soundSegmentsAreCheckedAndCompacted() throws Exception {
    Path expected = partition("stock").write();
    Path actual = partition("ours").write();
    try (CleaningSide stock = CleaningSide.stock(VERSION);
        CleaningSide ours = beside(Lines.jars().agentJar())) {
      assertEquals("compacted", stock.clean(expected, 0));
      assertEquals("compacted", ours.clean(actual, 0));
      assertEquals(CompactedPartition.files(expected), CompactedPartition.files(actual));
      assertEquals("2 segments, unchecked 0, damaged {}, counted {}", ours.counts());
    }
  }

  @Test
  void aDamagedSegmentStopsThePartition() throws Exception {
    CompactedPartition damaged = partition("damaged");
    ByteBuffer batch = batch(SECOND - 1, Codec.LZ4, put("a", "1"), put("b", "value"));
    int last = batch.limit() - 1;
    batch.put(last, (byte) (batch.get(last) ^ 1));
    damaged.first(Batches.fixCrc(batch));
    Path kept = damaged.write();
    try (CleaningSide ours = beside(Lines.jars().agentJar())) {
      String thrown = ours.clean(kept, 0);
      assertTrue(thrown.contains(DamagedSegmentException.class.getName()), thrown);
      assertEquals(damaged.original(), CompactedPartition.logs(kept));
    }
  }

  /** Shows that the other tests of this class can fail. */
  @Test
  void anAgentWithoutItsOwnCoreChecksNothing() throws Exception {
    Path sound = partition("sound").write();
    Path agent = OtherDropIn.writeAgentWithoutCore(root.resolve("agent.jar"));
    try (CleaningSide ours = beside(agent)) {
      ours.clean(sound, 0);
      String counts = ours.counts();
      assertTrue(counts.startsWith("0 segments"), counts);
    }
  }
}
