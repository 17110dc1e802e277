// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code ./bench broker}.
 *
 * @param line of the brokers
 * @param cells in order
 * @param rounds the number of rounds, each with new brokers
 * @param turns the turns of a round, in which every contender has one slot of a cell
 * @param slot the length of a slot
 * @param profiler the library of async-profiler, or null for no profile
 * @param out the folder of the results
 */
record Options(
    String line,
    List<Cell> cells,
    int rounds,
    int turns,
    Slot slot,
    @Nullable Path profiler,
    Path out) {
  private static final List<String> LINES = List.of("4.3", "4.4");
  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
  private static final int QUICK_ROUNDS = 2;
  private static final int FULL_ROUNDS = 4;
  private static final int TURNS = 2;

  /**
   * The length of a slot: a time, bounded at full speed by the bytes that go to the disk.
   *
   * @param seconds at a fixed rate, or at the speed of the slowest broker
   * @param bytes the most bytes of values
   */
  record Slot(int seconds, long bytes) {
    static final Slot QUICK = new Slot(5, 512L << 20);

    static final Slot FULL = new Slot(10, 1L << 30);

    private static final long FIRST_RECORDS = 100_000;

    /** Returns the records of a cell's first slot, which measures the speed of its brokers. */
    long firstRecords(Cell cell) {
      return records(cell, (double) FIRST_RECORDS / seconds);
    }

    /**
     * Returns the records of a slot.
     *
     * @param fullSpeed the records per second that all brokers can take
     */
    long records(Cell cell, double fullSpeed) {
      return cell.recordsPerSecond() == Cell.FULL_SPEED
          ? Math.min((long) (fullSpeed * seconds), bytes / cell.valueBytes())
          : (long) cell.recordsPerSecond() * seconds;
    }
  }

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  static Options parse(List<String> words) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < words.size(); i++) {
      String name = words.get(i);
      switch (name) {
        case "--quick" -> given.put(name, "");
        case "--line", "--codecs", "--scenarios", "--rounds", "--profiler", "--out" -> {
          if (++i == words.size()) {
            throw new IllegalArgumentException(name + " needs a value");
          }
          given.put(name, words.get(i));
        }
        default -> throw new IllegalArgumentException("broker knows no " + name);
      }
    }
    return of(given);
  }

  private static Options of(Map<String, String> given) {
    boolean isQuick = given.containsKey("--quick");
    List<String> codecs = list(given.getOrDefault("--codecs", String.join(",", CODECS)), CODECS);
    List<String> names = Stream.of(Scenario.values()).map(Options::name).toList();
    List<Cell> cells = new ArrayList<>();
    for (String name : list(given.getOrDefault("--scenarios", String.join(",", names)), names)) {
      // A named scenario has all its cells even in a quick run.
      boolean isShort = isQuick && !given.containsKey("--scenarios");
      cells.addAll(Scenario.valueOf(name.toUpperCase(Locale.ROOT)).cells(codecs, isShort));
    }
    if (cells.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure with these codecs and scenarios");
    }
    String profiler = given.get("--profiler");
    return new Options(
        list(given.getOrDefault("--line", LINES.get(0)), LINES).get(0),
        cells,
        rounds(given.getOrDefault("--rounds", "" + (isQuick ? QUICK_ROUNDS : FULL_ROUNDS))),
        TURNS,
        isQuick ? Slot.QUICK : Slot.FULL,
        profiler == null ? null : Path.of(profiler),
        Path.of(given.getOrDefault("--out", ".")));
  }

  private static String name(Scenario scenario) {
    return scenario.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> list(String words, List<String> known) {
    List<String> list = List.of(words.split(",", -1));
    for (String word : list) {
      if (!known.contains(word)) {
        throw new IllegalArgumentException(word + " is none of " + String.join(", ", known));
      }
    }
    return list;
  }

  private static int rounds(String word) {
    if (!word.matches("[1-9]\\d?")) {
      throw new IllegalArgumentException("--rounds is a number from 1 to 99");
    }
    return Integer.parseInt(word);
  }
}
