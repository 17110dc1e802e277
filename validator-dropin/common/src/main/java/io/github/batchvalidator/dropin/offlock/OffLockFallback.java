// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

/** The causes for which an append is inspected under the partition lock although the agent runs. */
enum OffLockFallback {
  /** The log had no append before, so the settings of its appends are unknown. */
  FIRST_APPEND,

  /** The batch is rebuilt, or its header shows that it has to be. */
  NOT_IN_PLACE,

  /**
   * The early inspection refused the batch, perhaps for a timestamp near the edge of the window.
   */
  REFUSED,

  /** The settings differ from those of the log's last append. */
  OTHER_POLICY,

  /** The append has other records, or the header of the batch was changed. */
  OTHER_RECORDS,

  /** The verdict does not hold for the time of the append. */
  OTHER_TIME,

  /** The early inspection threw an exception. The broker's log has the first one. */
  FAILED
}
