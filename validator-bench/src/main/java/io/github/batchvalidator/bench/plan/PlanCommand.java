// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.plan;

import java.io.PrintStream;
import java.util.List;

/** What {@code ./bench} asks before it starts JMH: {@code quick|full [WORD]...}. */
public final class PlanCommand {
  private static final int WRONG = 2;

  private PlanCommand() {}

  /**
   * Prints a line for each run of JMH, its arguments with tabs between them, and ends the JVM: with
   * 0, or with 2 if the words are wrong.
   *
   * @param args see {@link Plan#of}
   */
  public static void main(String[] args) {
    System.exit(run(System.out, System.err, args));
  }

  /** Prints the lines; returns the code. */
  public static int run(PrintStream out, PrintStream err, String... args) {
    try {
      List<String> words = List.of(args);
      Plan.of(words.get(0), words.subList(1, words.size()))
          .forEach(arguments -> out.println(String.join("\t", arguments)));
      return 0;
    } catch (IllegalArgumentException e) {
      err.println("bench: " + e.getMessage());
      return WRONG;
    }
  }
}
