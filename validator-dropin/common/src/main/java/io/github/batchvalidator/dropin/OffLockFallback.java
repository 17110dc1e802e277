// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

/** Why an append was inspected under the partition's lock although {@link OffLock} was entered. */
public enum OffLockFallback {
  /** Nothing was known yet of how this log is appended to. */
  FIRST_APPEND,

  /** The batch is written anew, or looked like that beforehand. */
  NOT_IN_PLACE,

  /**
   * Refused beforehand, or too near to the edge of the timestamp window to be accepted for long.
   */
  REFUSED,

  /** Other settings than those of the log's last append. */
  OTHER_POLICY,

  /** Other records than those that were inspected, or another header. */
  OTHER_RECORDS,

  /** The clock of the append lies outside of what was inspected for. */
  OTHER_TIME,

  /** The inspection threw, which is a fault of ours; the log has the first one. */
  FAILED
}
