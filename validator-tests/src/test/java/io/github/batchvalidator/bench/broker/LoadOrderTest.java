// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.broker.Cell.Crowd;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadOrderTest {
  private static final long PLENTY = 1L << 40;
  private static final Cell CELL = Cell.of("lz4", 100, 1_000);

  private static LoadOrder order(Cell cell, double recordsPerSecond, long bytes) {
    return new LoadOrder(9092, "topic", cell, recordsPerSecond, 2, bytes);
  }

  @Test
  void aLineIsReadAsItWasWritten() {
    LoadOrder order = order(CELL.of(new Crowd(200, 8)), 12.5, PLENTY);
    assertEquals(order, LoadOrder.parse(order.text()));
    LoadOrder beside = order(CELL.of(new Crowd(1, 50, true)), 12.5, PLENTY);
    assertEquals(beside, LoadOrder.parse(beside.text()));
    assertThrows(IllegalArgumentException.class, () -> LoadOrder.parse(order.text() + " 1"));
  }

  /** 4,000 records a second are 40 requests, 10 of each producer. */
  @Test
  void producersTakeTurnsAtAFixedRate() {
    LoadOrder order = order(CELL, 4_000, PLENTY);
    Pace first = order.pace(0, 500);
    assertEquals(20, first.requests());
    assertEquals(500, first.due(0));
    assertEquals(100_000_500, first.due(1));
    assertEquals(1_900_000_500, first.due(19));
    assertEquals(25_000_500, order.pace(1, 500).due(0));
    assertFalse(first.counts(3, first.due(3)));
    assertTrue(first.counts(4, first.due(4)));
  }

  @Test
  void bytesBoundASlot() {
    assertEquals(5, order(CELL, 4_000, 4 * 5 * 100_000).pace(0, 0).requests());
    assertEquals(7, order(CELL, 0, 4 * 7 * 100_000).pace(0, 0).requests());
    assertEquals(1, order(CELL, 0, 1).pace(0, 0).requests());
  }

  @Test
  void largeBatchesHaveARateOfTheirOwn() {
    for (double others : new double[] {0, 4_000}) {
      Pace pace = order(CELL.of(new Crowd(1, 50, true)), others, PLENTY).paceOfLarge(500);
      assertFalse(pace.isFullSpeed());
      assertEquals(20, pace.requests());
      assertEquals(1_900_000_500, pace.due(19));
    }
  }

  @Test
  void fullSpeedHasNoPeriodAndAnEnd() {
    Pace pace = order(CELL, 0, PLENTY).pace(3, 500);
    assertTrue(pace.isFullSpeed());
    assertFalse(pace.isOver(2_000_000_499));
    assertTrue(pace.isOver(2_000_000_500));
    assertFalse(pace.counts(0, 400_000_499));
    assertTrue(pace.counts(0, 400_000_500));
  }

  @Test
  void producersShareThePartitionsOrOneOfThem() {
    LoadOrder many = order(CELL.of(new Crowd(200, 8)), 0, PLENTY);
    assertEquals(25, many.partitionsOfRequest());
    assertEquals(2_500, many.recordsOfRequest());
    assertEquals(
        List.of(0, 25, 50, 75, 100, 125, 150, 175),
        IntStream.range(0, 8).mapToObj(many::firstPartition).toList());
    LoadOrder one = order(CELL.of(new Crowd(1, 8)), 0, PLENTY);
    assertEquals(1, one.partitionsOfRequest());
    assertEquals(0, one.firstPartition(7));
  }
}
