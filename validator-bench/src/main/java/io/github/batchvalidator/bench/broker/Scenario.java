// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.broker.Cell.Crowd;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A set of cells that answers one question. */
enum Scenario {
  /** What clients notice at a load that a stock broker sustains: latencies, and what they cost. */
  RATES {
    @Override
    List<Cell> cells(List<String> codecs, boolean isQuick) {
      if (isQuick) {
        return List.of();
      }
      List<Cell> cells = new ArrayList<>();
      for (String codec : codecs) {
        Cell large = Cell.of(codec, LARGE, KIB);
        if (codec.equals("gzip")) {
          cells.add(large.at(LOW));
        }
        cells.add(large.at(USUAL));
        cells.add(large.at(HIGH));
      }
      Stream.of(
              Cell.of("none", 1, KIB).at(USUAL),
              Cell.of("lz4", 1, KIB).at(USUAL),
              Cell.of("gzip", LARGE, KIB).to("lz4").at(USUAL),
              Cell.of("lz4", LARGE, KIB).to("zstd").at(USUAL),
              Cell.of("lz4", SMALL, KIB).of(MANY_PARTITIONS).at(USUAL),
              Cell.of("gzip", LARGE, KIB).of(ONE_PARTITION).at(HIGH))
          .filter(cell -> codecs.contains(cell.codec()))
          .forEach(cells::add);
      return cells;
    }
  },

  /** Each codec and size of batches: records of 1 KiB; if it is not quick, of 100 bytes too. */
  GRID {
    @Override
    List<Cell> cells(List<String> codecs, boolean isQuick) {
      List<Cell> cells = new ArrayList<>();
      for (String codec : codecs) {
        for (int records : List.of(SMALL, LARGE)) {
          cells.add(Cell.of(codec, records, KIB));
          if (!isQuick) {
            cells.add(Cell.of(codec, records * KIB / SMALL_VALUE, SMALL_VALUE));
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
      return Stream.of(Cell.of("lz4", LARGE, KIB).to("zstd"), Cell.of("gzip", LARGE, KIB).to("lz4"))
          .filter(cell -> codecs.contains(cell.codec()))
          .toList();
    }
  },

  /** The load of KAFKA-8106, scaled to two cores: it had a hundred times the producers. */
  MANY {
    @Override
    List<Cell> cells(List<String> codecs, boolean isQuick) {
      Cell cell = Cell.of("lz4", SMALL, KIB).of(MANY_PARTITIONS);
      return codecs.contains("lz4") ? List.of(cell) : List.of();
    }
  },

  /** Many producers of one partition, who wait for each other's batches. */
  HOT {
    @Override
    List<Cell> cells(List<String> codecs, boolean isQuick) {
      Cell cell = Cell.of("gzip", LARGE, KIB).of(ONE_PARTITION);
      return codecs.contains("gzip") && !isQuick ? List.of(cell) : List.of();
    }
  },

  /** Many producers of one partition, and one whose batches take long to validate. */
  NEIGHBOR {
    @Override
    List<Cell> cells(List<String> codecs, boolean isQuick) {
      Cell cell = Cell.of("lz4", SMALL, KIB).of(BESIDE_LARGE);
      return codecs.contains("lz4") && !isQuick ? List.of(cell.at(LOW), cell.at(USUAL)) : List.of();
    }
  };

  private static final int KIB = 1 << 10;
  private static final int SMALL_VALUE = 100;

  /** Records of 1 KiB that fill a batch of the default size, 16 KiB, as the producer counts. */
  private static final int SMALL = 15;

  /** Records of 1 KiB that fill a batch of 128 KiB, which producers of much throughput use. */
  private static final int LARGE = 125;

  private static final int LOW = 30;
  private static final int USUAL = 60;
  private static final int HIGH = 90;

  private static final Crowd MANY_PARTITIONS = new Crowd(200, 8);
  private static final Crowd ONE_PARTITION = new Crowd(1, 8);
  private static final Crowd BESIDE_LARGE = new Crowd(1, 50, true);

  /** Returns the cells in the order in which they are measured. */
  abstract List<Cell> cells(List<String> codecs, boolean isQuick);
}
