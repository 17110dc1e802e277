// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/** Who sets the timestamp of a record (KIP-32), as the topic's {@code message.timestamp.type}. */
public enum TimestampType {
  /** The producer. */
  CREATE_TIME,
  /** The broker, at the time of the append. */
  LOG_APPEND_TIME
}
