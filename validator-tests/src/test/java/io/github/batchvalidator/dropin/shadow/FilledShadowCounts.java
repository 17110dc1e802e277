// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

/** Counts of shadow mode that are not zero, for tests of other packages. */
public final class FilledShadowCounts {
  private FilledShadowCounts() {}

  /** Counts appends, of which one differs. */
  public static void add(ShadowCounts counts, int appends, String kind) {
    for (int i = 0; i < appends; i++) {
      counts.add();
    }
    counts.addDifference(kind, () -> "", () -> null);
  }
}
