// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

/** What became of the bytes of a cut. */
enum CutOutcome {
  /** They are in a file. */
  KEPT,
  /** They have no sound batch, so that nothing is lost. */
  TORN,
  /** They would be in a file if the guard did more than observe. */
  OBSERVED,
  /** They should be in a file, and are not. */
  LOST
}
