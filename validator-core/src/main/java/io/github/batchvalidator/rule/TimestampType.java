// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/** The source of record timestamps (KIP-32): the topic's {@code message.timestamp.type}. */
public enum TimestampType {
  /** The producer. */
  CREATE_TIME,
  /** The broker, at the time of the append. */
  LOG_APPEND_TIME
}
