// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The finished shards of a run, one file for each: what was counted, the seconds, and the first
 * differences. A run of the same commit and seed continues where the last one ended. Several
 * processes may share the directory.
 */
final class Shards {
  private static final String SECONDS = "= seconds of one thread";
  private static final String EXAMPLE = "! ";

  private final Path directory;

  Shards(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  private Path file(long shard) {
    return directory.resolve(String.format("shard-%07d", shard));
  }

  boolean isDone(long shard) {
    return Files.exists(file(shard));
  }

  void done(long shard, Tally tally, double seconds) throws IOException {
    List<String> lines = new ArrayList<>(tally.lines());
    lines.add(SECONDS + "\t" + Math.round(seconds));
    tally.examples.forEach(text -> lines.add(EXAMPLE + text.replace("\n", "\n" + EXAMPLE)));
    Path written = directory.resolve("unfinished-" + shard);
    Files.write(written, lines);
    Files.move(written, file(shard), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Returns the sums over all shards, and their differences. */
  String summary() throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    List<String> examples = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      files
          .filter(file -> file.getFileName().toString().startsWith("shard-"))
          .sorted()
          .forEach(file -> read(file, sums, examples));
    }
    StringBuilder text = new StringBuilder();
    sums.forEach((key, sum) -> text.append(String.format("%12d  %s%n", sum, key)));
    examples.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private static void read(Path file, Map<String, Long> sums, List<String> examples) {
    try {
      for (String line : Files.readAllLines(file)) {
        int tab = line.indexOf('\t');
        if (line.startsWith(EXAMPLE)) {
          examples.add(line);
        } else {
          sums.merge(line.substring(0, tab), Long.valueOf(line.substring(tab + 1)), Long::sum);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
