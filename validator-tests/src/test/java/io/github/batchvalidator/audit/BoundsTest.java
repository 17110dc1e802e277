// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.partition.PartitionAudit;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An audit keeps a bounded number of producers and faults, and says what it left out. */
class BoundsTest {
  private static final int MAX_PRODUCERS = 100_000;
  private static final int MAX_KEPT = 10_000;
  private static final int BATCH_BYTES = 100;

  private final List<String> faults = new ArrayList<>();
  private final PartitionAudit audit =
      new PartitionAudit(
          new NoFiles(),
          false,
          (file, fault) -> faults.add(fault.reason()),
          (file, why) -> faults.add(why));

  private long position;
  private long offset;

  BoundsTest() {
    audit.start(new NoBytes());
  }

  private void add(long producer, int sequence, @Nullable Control control) {
    audit.batch(
        new StoredBatch(
            position,
            BATCH_BYTES,
            (byte) 2,
            Codec.NONE,
            offset,
            offset,
            1,
            0,
            0,
            0,
            producer,
            (short) 0,
            sequence,
            true,
            control));
    position += BATCH_BYTES;
    offset++;
  }

  @Test
  void asManyProducersAsTheBoundAreAllKept() {
    for (int sequence = 0; sequence < 2; sequence++) {
      for (int producer = 0; producer < MAX_PRODUCERS; producer++) {
        add(producer, 2 * sequence, null);
      }
    }
    PartitionSummary summary = audit.end();
    assertEquals(MAX_PRODUCERS, summary.producers());
    assertEquals(0, summary.forgottenProducers());
    assertEquals(MAX_PRODUCERS, summary.openTransactions());
    assertEquals(MAX_KEPT, faults.size(), "each sequence 1 is missing");
    assertEquals(MAX_PRODUCERS - MAX_KEPT, summary.droppedFaults());
  }

  /** The producer that wrote least recently is forgotten, with its open transaction. */
  @Test
  void oneProducerMoreIsOneForgotten() {
    for (int producer = 0; producer < MAX_PRODUCERS; producer++) {
      add(producer, 0, null);
    }
    add(0, 1, null);
    add(MAX_PRODUCERS, 0, null);
    add(0, 2, null);
    add(1, 7, null); // forgotten, so any sequence number may follow
    PartitionSummary summary = audit.end();
    assertEquals(List.of(), faults);
    assertEquals(2, summary.forgottenProducers());
    assertEquals(MAX_PRODUCERS, summary.openTransactions());
    assertEquals(0, summary.firstOpenOffset());
  }

  /** A marker of a forgotten producer ends a transaction that is not known. */
  @Test
  void markerOfAForgottenProducer() {
    for (int producer = 0; producer <= MAX_PRODUCERS; producer++) {
      add(producer, 0, null);
    }
    add(0, -1, new Control(Control.ABORT, 0));
    assertEquals(List.of(), faults);
    assertTrue(audit.end().forgottenProducers() > 0);
  }

  /** A segment whose batches are passed in by the test. */
  private static final class NoBytes extends Segment {
    NoBytes() {
      super("s", "00000000000000000000.log");
    }

    @Override
    public void openBytes() {}

    @Override
    public long currentSize() {
      return 0;
    }

    @Override
    public void read(ByteBuffer target, long from) {}

    @Override
    public ByteBuffer map(long from, int bytes) {
      return ByteBuffer.allocate(0);
    }

    @Override
    public @Nullable StoredFile companion(Companion kind) {
      return null;
    }

    @Override
    public void close() {}
  }

  private static final class NoFiles implements Partition {
    @Override
    public String name() {
      return "p";
    }

    @Override
    public String topic() {
      return "t";
    }

    @Override
    public int number() {
      return 0;
    }

    @Override
    public String topicId() {
      return "";
    }

    @Override
    public boolean isCompacted() {
      return false;
    }

    @Override
    public @Nullable StoredFile leaderEpochs() {
      return null;
    }

    @Override
    public NavigableMap<Long, StoredFile> producerSnapshots() {
      return new TreeMap<>();
    }
  }
}
