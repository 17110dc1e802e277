// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.audit.source.LocalFile;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The producers that a table forgets if there are too many. */
class ProducerTableTest {
  private static final long MOST = ProducerTable.MAX_PRODUCERS;
  private static final long HALF = MOST / 2;
  private static final int SCRATCH_BYTES = 1 << 13;

  @TempDir private Path directory;

  private final BatchHeader header = new BatchHeader();
  private final ByteBuffer bytes =
      Batches.of(Codec.NONE, new SimpleRecord(Batches.nowMs(), new byte[1]));
  private long next;

  /** Returns the header of the next batch, which is one millisecond later. */
  private BatchHeader batch(long producer, int epoch) {
    bytes.putLong(BatchLayout.BASE_OFFSET_OFFSET, next);
    bytes.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, Batches.nowMs() + next);
    bytes.putLong(BatchLayout.PRODUCER_ID_OFFSET, producer);
    bytes.putShort(BatchLayout.PRODUCER_EPOCH_OFFSET, (short) epoch);
    next++;
    return header.read(bytes, 0);
  }

  /** Fills a table. Each marker has the next epoch, as in transactions of version 2. */
  private ProducerTable full() {
    ProducerTable table = new ProducerTable();
    for (long producer = 0; producer < MOST; producer++) {
      table.data(batch(producer, 0));
      commit(table, producer);
    }
    return table;
  }

  private void commit(ProducerTable table, long producer) {
    table.marker(batch(producer, 1), new Control(Control.COMMIT, 0));
  }

  private Path write(ProducerTable table, String name) throws IOException {
    Path file = directory.resolve(name);
    table.write(file, ByteBuffer.allocate(SCRATCH_BYTES));
    return file;
  }

  /** Lets Kafka read the snapshot of a table, and returns the producers in order. */
  private List<Long> producers(ProducerTable table) throws IOException {
    return ProducerStateManager.readSnapshot(write(table, "after.snapshot").toFile()).stream()
        .map(ProducerStateEntry::producerId)
        .sorted()
        .toList();
  }

  /** Returns the first producer, which wrote again, and those of the second half. */
  private static List<Long> latest() {
    LongStream half = LongStream.rangeClosed(HALF + 1, MOST);
    return LongStream.concat(LongStream.of(0), half).boxed().toList();
  }

  @Test
  void producersOfTheLatestMarkersStay() throws IOException {
    ProducerTable table = full();
    commit(table, 0);
    table.data(batch(MOST, 0));
    assertEquals(latest(), producers(table));
    assertEquals(HALF, table.forgotten());
  }

  @Test
  void producersFromBeforeTheLogAreForgottenFirst() throws IOException {
    ProducerTable table = new ProducerTable();
    assertTrue(table.restore(new LocalFile(write(full(), "before.snapshot"))));
    commit(table, 0);
    table.data(batch(MOST, 0));
    assertEquals(latest(), producers(table));
    assertEquals(HALF, table.forgotten());
  }
}
