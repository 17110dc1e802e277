// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.broker.Cell.Batching;
import io.github.batchvalidator.bench.broker.Cell.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A set of cells that answers one question. */
enum Scenario {
  /**
   * Each codec and size of batches: records of 1 KiB at full speed; the rest if it is not quick.
   */
  GRID {
    @Override
    List<Cell> cells(List<String> codecs, boolean isQuick) {
      List<Cell> cells = new ArrayList<>();
      for (String codec : codecs) {
        for (Batching batching : List.of(Batching.SMALL, Batching.LARGE)) {
          cells.add(Cell.of(codec, batching, KIB));
          if (!isQuick) {
            cells.add(Cell.of(codec, batching, KIB).at(KIB_RECORDS_PER_SECOND));
            cells.add(Cell.of(codec, batching, SMALL_VALUE));
            cells.add(Cell.of(codec, batching, SMALL_VALUE).at(SMALL_RECORDS_PER_SECOND));
          }
        }
      }
      return cells;
    }
  },

  /** The topic has another codec than the producer, so that the broker rebuilds batches. */
  RECOMPRESSION {
    @Override
    List<Cell> cells(List<String> codecs, boolean isQuick) {
      return Stream.of(
              Cell.of("lz4", Batching.LARGE, KIB).to("zstd"),
              Cell.of("gzip", Batching.LARGE, KIB).to("lz4"))
          .filter(cell -> codecs.contains(cell.codec()))
          .toList();
    }
  },

  /** The load of KAFKA-8106, scaled to two cores: it had a hundred times the producers. */
  MANY {
    @Override
    List<Cell> cells(List<String> codecs, boolean isQuick) {
      Cell cell = Cell.of("lz4", Batching.SMALL, KIB);
      return codecs.contains("lz4") ? List.of(cell.of(new Crowd(200, isQuick ? 4 : 8))) : List.of();
    }
  },

  /** Many producers of one partition, who wait for each other's batches. */
  HOT {
    @Override
    List<Cell> cells(List<String> codecs, boolean isQuick) {
      Cell cell = Cell.of("gzip", Batching.LARGE, KIB);
      return codecs.contains("gzip") && !isQuick ? List.of(cell.of(new Crowd(1, 8))) : List.of();
    }
  };

  private static final int KIB = 1 << 10;
  private static final int SMALL_VALUE = 100;

  /** Rates that a busy machine of two cores sustains with every codec. */
  private static final int KIB_RECORDS_PER_SECOND = 8_000;

  private static final int SMALL_RECORDS_PER_SECOND = 40_000;

  /** Returns the cells in the order in which they are measured. */
  abstract List<Cell> cells(List<String> codecs, boolean isQuick);
}
