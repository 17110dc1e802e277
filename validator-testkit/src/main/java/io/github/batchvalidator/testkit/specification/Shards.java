// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The shards of a run, and a file for each finished one: what was counted, the seconds, and the
 * first differences. Files have the names of their seeds, so that a run with the same code takes
 * those of a shorter or longer one. Several processes may share the directory.
 */
final class Shards {
  static final int SEEDS_OF_SHARD = 8192;

  private static final String SECONDS = "= seconds of one thread";
  private static final String EXAMPLE = "! ";

  private final Path directory;
  private final long firstSeed;
  private final long allSeeds;

  /**
   * Divides a run into shards.
   *
   * @param directory of the files
   * @param firstSeed of the run
   * @param allSeeds the number of its seeds
   */
  Shards(Path directory, long firstSeed, long allSeeds) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.firstSeed = firstSeed;
    this.allSeeds = allSeeds;
  }

  long count() {
    return (allSeeds + SEEDS_OF_SHARD - 1) / SEEDS_OF_SHARD;
  }

  long firstSeed(long shard) {
    return firstSeed + shard * SEEDS_OF_SHARD;
  }

  /** Returns the number of seeds of a shard; the last one may have fewer than the others. */
  int seeds(long shard) {
    return (int) Math.min(SEEDS_OF_SHARD, allSeeds - shard * SEEDS_OF_SHARD);
  }

  private Path file(long shard) {
    long first = firstSeed(shard);
    return directory.resolve("seeds-" + first + "-to-" + (first + seeds(shard) - 1));
  }

  boolean isDone(long shard) {
    return Files.exists(file(shard));
  }

  void done(long shard, Tally tally, double seconds) throws IOException {
    List<String> lines = new ArrayList<>();
    tally.numbers().forEach((name, number) -> lines.add(name + "\t" + number));
    lines.add(SECONDS + "\t" + Math.round(seconds));
    tally.examples.forEach(text -> lines.add(EXAMPLE + text.replace("\n", "\n" + EXAMPLE)));
    Path written = directory.resolve("unfinished-" + firstSeed(shard));
    Files.write(written, lines);
    Files.move(written, file(shard), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Returns the sums over all shards of the run, and their differences.
   *
   * @throws IOException also if a shard is not done
   */
  String summary() throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    List<String> examples = new ArrayList<>();
    for (long shard = 0; shard < count(); shard++) {
      for (String line : Files.readAllLines(file(shard))) {
        int tab = line.indexOf('\t');
        if (line.startsWith(EXAMPLE)) {
          examples.add(line);
        } else {
          add(sums, line.substring(0, tab), Long.parseLong(line.substring(tab + 1)));
        }
      }
    }
    return Tally.text(sums, examples);
  }

  private static void add(Map<String, Long> sums, String name, long number) {
    sums.merge(name, number, name.endsWith(Tally.FIRST_SEED) ? Long::min : Long::sum);
  }
}
