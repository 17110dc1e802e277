// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

/** An exception without a stack trace for a segment that Kafka's own method has to recover. */
final class UnsoundSegmentException extends Exception {
  private static final long serialVersionUID = 1;

  private final Unsound reason;

  UnsoundSegmentException(Unsound reason) {
    super(reason.name(), null, false, false);
    this.reason = reason;
  }

  Unsound reason() {
    return reason;
  }
}
