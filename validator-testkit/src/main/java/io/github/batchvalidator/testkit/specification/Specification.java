// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * Runs the specification over seeds. Each seed stands for a few records, in {@value
 * #APPENDS_OF_SEED} appends. {@value #SEEDS_OF_POLICY} seeds share a policy file and a Kafka line.
 */
public final class Specification implements AutoCloseable {
  static final int SEEDS_OF_POLICY = 128;
  static final int APPENDS_OF_SEED = 8;

  private final Case run;
  private Tally tally = new Tally();
  private long lastPolicy = -1;

  /** Creates a run that has a directory for policy files. */
  public Specification(Path directory) {
    run = new Case(directory);
  }

  /**
   * Runs shards of seeds, replays a seed with those that share its policy, or adds up the finished
   * shards of a run. What {@code ./check} finds depends on all batches of a policy, which share
   * segments.
   *
   * @param arguments {@code run DIRECTORY APPENDS SEED PROCESSES PROCESS}, {@code replay SEED} or
   *     {@code summary DIRECTORY APPENDS SEED}; a run takes every shard that is not done and that
   *     belongs to its process
   */
  public static void main(String[] arguments) throws IOException {
    switch (arguments[0]) {
      case "run" -> runShards(arguments);
      case "replay" -> {
        try (Specification specification = new Specification(temporary())) {
          long policy = Math.floorDiv(Long.parseLong(arguments[1]), (long) SEEDS_OF_POLICY);
          specification.seeds(policy * SEEDS_OF_POLICY, SEEDS_OF_POLICY);
          System.out.print(specification.report());
        }
      }
      default -> System.out.print(shards(arguments).summary());
    }
  }

  private static Shards shards(String[] arguments) throws IOException {
    long appends = Long.parseLong(arguments[2]);
    return new Shards(
        Path.of(arguments[1]), Long.parseLong(arguments[3]), appends / APPENDS_OF_SEED);
  }

  private static Path temporary() throws IOException {
    return Files.createTempDirectory("specification");
  }

  private static void runShards(String[] arguments) throws IOException {
    Shards shards = shards(arguments);
    int processes = Integer.parseInt(arguments[4]);
    try (Specification specification = new Specification(temporary())) {
      long shard = Integer.parseInt(arguments[5]);
      for (; shard < shards.count(); shard += processes) {
        if (!shards.isDone(shard)) {
          specification.tally = new Tally();
          long start = System.nanoTime();
          specification.seeds(shards.firstSeed(shard), shards.seeds(shard));
          double seconds = (System.nanoTime() - start) / 1e9;
          shards.done(shard, specification.tally, seconds);
          System.out.printf(
              "shard %d: %d appends, %.0f us each, %d unexplained differences%n",
              shard,
              specification.tally.appends,
              seconds * 1e6 / specification.tally.appends,
              specification.tally.differences);
        }
      }
    }
  }

  /** Runs so many seeds. */
  public void seeds(long first, int count) {
    for (long seed = first; seed < first + count; seed++) {
      long policy = Math.floorDiv(seed, (long) SEEDS_OF_POLICY);
      if (policy != lastPolicy) {
        lastPolicy = policy;
        run.policy(new SeededChoices(~policy));
      }
      tally.seed(seed);
      run.appends(new SeededChoices(seed), tally);
      if (Math.floorMod(seed + 1, (long) SEEDS_OF_POLICY) == 0 || seed + 1 == first + count) {
        run.check(tally);
      }
    }
  }

  /** Resets the counts. */
  public void restart() {
    tally = new Tally();
    lastPolicy = -1;
  }

  /** Draws a policy and appends from any numbers, and from zeros after them. */
  public void draw(List<Integer> numbers) {
    restart();
    Iterator<Integer> next = numbers.iterator();
    Choices choices = n -> next.hasNext() ? Math.floorMod(next.next(), n) : 0;
    run.policy(choices);
    run.appends(choices, tally);
    run.check(tally);
  }

  /** Returns the number of differences that nothing explains. */
  public long differences() {
    return tally.differences;
  }

  /**
   * Returns the number of judgments of an entry that have an outcome.
   *
   * @param entry {@code library}, {@code drop-in}, {@code agent} or {@code check}
   * @param outcome such as {@code accepted}
   */
  public long number(String entry, String outcome) {
    return tally.number(entry, outcome);
  }

  /** Returns the number that a line of {@link #report} starts with, or 0. */
  public long number(String name) {
    return tally.number(name);
  }

  /** Returns the number of appends, of all runs so far, that an early verdict was used for. */
  public long earlyVerdicts() {
    return run.earlyVerdicts();
  }

  /** Returns what was counted, and the first differences with their seeds. */
  public String report() {
    return Tally.text(tally.numbers(), tally.examples);
  }

  @Override
  public void close() {
    run.close();
  }
}
