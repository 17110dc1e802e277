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
 * @param rounds the number of rounds, each with new brokers and one slot of each of them per cell
 * @param slot the length of a slot
 * @param profiler the library of async-profiler, or null for no profile
 * @param out where results go
 */
record Options(
    String line, List<Cell> cells, int rounds, Slot slot, @Nullable Path profiler, Output out) {
  private static final List<String> LINES = List.of("4.3", "4.4");
  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
  private static final int QUICK_ROUNDS = 3;
  private static final int FULL_ROUNDS = 5;

  /**
   * The length of a slot: a time, bounded by the bytes that go to the disk.
   *
   * @param seconds most of which count
   * @param bytes the most bytes of values
   */
  record Slot(int seconds, long bytes) {
    static final Slot QUICK = new Slot(5, 512L << 20);

    static final Slot FULL = new Slot(8, 1L << 30);
  }

  /**
   * Where results go.
   *
   * @param folder of the files
   * @param scope what tells this run's files from those of other runs: empty, or with a hyphen
   *     before each of its words
   * @param isResumed keeps what an earlier run has measured
   */
  record Output(Path folder, String scope, boolean isResumed) {}

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
        case "--quick", "--resume" -> given.put(name, "");
        case "--line",
            "--codecs",
            "--scenarios",
            "--rounds",
            "--seconds",
            "--profiler",
            "--out" -> {
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
    List<String> scenarios =
        list(given.getOrDefault("--scenarios", String.join(",", names)), names);
    boolean areNamed = given.containsKey("--scenarios");
    List<Cell> cells = new ArrayList<>();
    for (String name : scenarios) {
      // A named scenario has all its cells even in a quick run.
      cells.addAll(
          Scenario.valueOf(name.toUpperCase(Locale.ROOT)).cells(codecs, isQuick && !areNamed));
    }
    if (cells.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure with these codecs and scenarios");
    }
    String scope = (areNamed ? "-" + String.join("-", scenarios) : "") + (isQuick ? "-quick" : "");
    String profiler = given.get("--profiler");
    Slot slot = isQuick ? Slot.QUICK : Slot.FULL;
    return new Options(
        list(given.getOrDefault("--line", LINES.get(0)), LINES).get(0),
        cells,
        number("--rounds", given, isQuick ? QUICK_ROUNDS : FULL_ROUNDS),
        new Slot(number("--seconds", given, slot.seconds()), slot.bytes()),
        profiler == null ? null : Path.of(profiler),
        new Output(
            Path.of(given.getOrDefault("--out", ".")), scope, given.containsKey("--resume")));
  }

  /** Returns what slots must have in common to be compared, beside the processors. */
  String settings() {
    return "Kafka %s, JDK %s, slots of %d s and %d MiB at most"
        .formatted(line, System.getProperty("java.vm.version"), slot.seconds(), slot.bytes() >> 20);
  }

  /** Returns the name of all files of the run, without an ending. */
  String fileName() {
    return "broker-%s%s-jdk%d".formatted(line, out.scope(), Runtime.version().feature());
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

  private static int number(String name, Map<String, String> given, int usual) {
    String word = given.getOrDefault(name, String.valueOf(usual));
    if (!word.matches("[1-9]\\d?")) {
      throw new IllegalArgumentException(name + " is a number from 1 to 99");
    }
    return Integer.parseInt(word);
  }
}
