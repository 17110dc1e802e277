// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

/** Sets which Snappy batches are walked in compressed form. Every test puts the gate back. */
public final class WalkGates {
  private WalkGates() {}

  /** Admits every batch that can be walked. */
  public static void open() {
    WalkGate.SHARED.mode(WalkGate.Mode.OPEN);
  }

  /** Admits no batch. */
  public static void shut() {
    WalkGate.SHARED.mode(WalkGate.Mode.SHUT);
  }

  /** Admits batches by their sizes, as users have it. */
  public static void measured() {
    WalkGate.SHARED.mode(WalkGate.Mode.MEASURED);
  }
}
