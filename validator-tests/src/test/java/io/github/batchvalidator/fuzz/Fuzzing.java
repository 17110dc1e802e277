// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What Jazzer calls: it knows the two methods by their names. */
public final class Fuzzing {
  private static @Nullable FuzzTarget target;

  private Fuzzing() {}

  /**
   * Chooses the target.
   *
   * @param args its name
   */
  public static void fuzzerInitialize(String[] args) {
    target = FuzzTarget.valueOf(args[0].replace('-', '_').toUpperCase(Locale.ROOT));
  }

  /** Gives an input to the target. */
  public static void fuzzerTestOneInput(byte[] input) {
    Objects.requireNonNull(target).run(input);
  }

  /** Fails unless a condition holds. */
  public static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
