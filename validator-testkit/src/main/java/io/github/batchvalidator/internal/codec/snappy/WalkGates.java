// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

/**
 * Sets which Snappy batches are walked in compressed form. Every test puts the gate back. The
 * property {@code snappy.walk} with the value {@code OPEN} or {@code SHUT} runs all other tests
 * with a forced gate.
 */
public final class WalkGates {
  private static final WalkGate.Mode USUAL =
      WalkGate.Mode.valueOf(System.getProperty("snappy.walk", WalkGate.Mode.MEASURED.name()));

  static {
    putBack();
  }

  private WalkGates() {}

  /** Applies the property once, when the class is loaded. Later calls change nothing. */
  public static void load() {}

  /** Admits every batch that can be walked. */
  public static void open() {
    WalkGate.SHARED.mode(WalkGate.Mode.OPEN);
  }

  /** Admits no batch. */
  public static void shut() {
    WalkGate.SHARED.mode(WalkGate.Mode.SHUT);
  }

  /** Admits batches by their sizes, as users have it, unless a mode is forced. */
  public static void putBack() {
    WalkGate.SHARED.mode(USUAL);
  }

  /** Returns true if the gate is as {@link #putBack} leaves it. */
  public static boolean isPutBack() {
    return WalkGate.SHARED.isShut() == (USUAL == WalkGate.Mode.SHUT)
        && WalkGate.SHARED.pauses() == (USUAL == WalkGate.Mode.MEASURED);
  }
}
