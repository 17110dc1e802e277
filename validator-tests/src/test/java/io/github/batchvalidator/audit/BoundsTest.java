// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An audit keeps a bounded number of producers and faults, and says what it left out. */
class BoundsTest {
  private static final int MAX_PRODUCERS = 100_000;
  private static final int MAX_KEPT = 10_000;

  private final PassedBatches log = new PassedBatches().segment(0);

  @Test
  void asManyProducersAsTheBoundAreAllKept() {
    for (int sequence = 0; sequence < 2; sequence++) {
      for (int producer = 0; producer < MAX_PRODUCERS; producer++) {
        log.add(producer, 2 * sequence, null);
      }
    }
    PartitionSummary summary = log.end();
    assertEquals(MAX_PRODUCERS, summary.producers());
    assertEquals(0, summary.forgottenProducers());
    assertEquals(MAX_PRODUCERS, summary.openTransactions());
    assertEquals(MAX_KEPT, log.faults().size(), "each sequence 1 is missing");
    assertEquals(MAX_PRODUCERS - MAX_KEPT, summary.droppedFaults());
  }

  /** The producer that wrote least recently is forgotten, with its open transaction. */
  @Test
  void oneProducerMoreIsOneForgotten() {
    for (int producer = 0; producer < MAX_PRODUCERS; producer++) {
      log.add(producer, 0, null);
    }
    log.add(0, 1, null);
    log.add(MAX_PRODUCERS, 0, null);
    log.add(0, 2, null);
    log.add(1, 7, null); // forgotten, so any sequence number may follow
    PartitionSummary summary = log.end();
    assertEquals(List.of(), log.faults());
    assertEquals(2, summary.forgottenProducers());
    assertEquals(MAX_PRODUCERS, summary.openTransactions());
    assertEquals(0, summary.firstOpenOffset());
  }

  /** A marker of a forgotten producer ends a transaction that is not known. */
  @Test
  void markerOfAForgottenProducer() {
    for (int producer = 0; producer <= MAX_PRODUCERS; producer++) {
      log.add(producer, 0, null);
    }
    log.add(0, -1, new Control(Control.ABORT, 0));
    assertEquals(List.of(), log.faults());
    assertTrue(log.end().forgottenProducers() > 0);
  }
}
