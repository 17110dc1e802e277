// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The calls of recovery that may change a file. A copy of the directory right before such a call
 * has what a kill at this moment would leave: a killed process loses nothing that is in the page
 * cache, and memory-mapped files are in it. Loaded by the class loader of a Kafka line, and called
 * by reflection.
 */
public final class KillPoints {
  private static final int MOST_SITES = 1 << 16;
  private static final int[] HITS = new int[MOST_SITES];

  private static int site = -1;
  private static int hit;
  private static @Nullable Path from;
  private static @Nullable Path to;

  private KillPoints() {}

  /** Called before each call that may change a file. */
  public static void reach(int reached) {
    if (++HITS[reached] == hit && reached == site && from != null && to != null) {
      site = -1;
      copy(from, to);
    }
  }

  /** Returns how often each call was reached since the last time. */
  public static int[] hits() {
    int[] hits = HITS.clone();
    Arrays.fill(HITS, 0);
    return hits;
  }

  /** Has a directory copied, with all below it, before a call is made for the given time. */
  public static void arm(int armedSite, int armedHit, File original, File copy) {
    Arrays.fill(HITS, 0);
    site = armedSite;
    hit = armedHit;
    from = original.toPath();
    to = copy.toPath();
  }

  private static void copy(Path original, Path copy) {
    try {
      Directories.copy(original, copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
