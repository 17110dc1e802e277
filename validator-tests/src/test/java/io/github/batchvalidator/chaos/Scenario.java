// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

/** What happens to the brokers of a run. */
enum Scenario {
  /** Brokers are killed. */
  KILLS,

  /** Brokers are killed while batches are sent that ask for more memory than there is. */
  HEAP,

  /** The disks of brokers fill up, so that these brokers end themselves. */
  DISK,

  /**
   * Brokers are stopped or killed, and go from stock to jar to jar and agent, and back to stock.
   */
  UPGRADE
}
