// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs the specification over seeds. Each seed is one policy's share of records. */
public final class Specification {
  /** Seeds that share a policy, whose number is the first of them divided by this. */
  private static final int SEEDS_OF_POLICY = 128;

  private Specification() {}

  /** Runs so many appends from a seed on; see config/specification. */
  public static void main(String[] args) throws IOException {
    long appends = Long.parseLong(args[0]);
    long seed = Long.parseLong(args[1]);
    Path directory = Files.createTempDirectory("specification");
    Tally tally = new Tally();
    long start = System.nanoTime();
    long lastPolicy = -1;
    try (Case run = new Case(directory, tally)) {
      long shown = 0;
      while (tally.appends < appends) {
        if (seed / SEEDS_OF_POLICY != lastPolicy) {
          lastPolicy = seed / SEEDS_OF_POLICY;
          run.policy(new SeededChoices(~lastPolicy));
        }
        tally.seed(seed);
        long before = tally.examples.size();
        run.appends(new SeededChoices(seed));
        if (tally.examples.size() > before && shown < 50000) {
          shown++;
          System.out.println(tally.examples.get(tally.examples.size() - 1) + "\n" + run.describe());
        }
        seed++;
        if (seed % 1024 == 0) {
          System.out.printf("at %d after %.1f s%n", tally.appends, (System.nanoTime() - start) / 1e9);
        }
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    tally.counts.forEach((key, count) -> System.out.println(key + "  " + count));
    System.out.printf(
        "%d appends, %d skipped, %d differences, %.1f s, %.1f us per append%n",
        tally.appends, tally.skipped, tally.differences, seconds, seconds * 1e6 / tally.appends);
  }
}
