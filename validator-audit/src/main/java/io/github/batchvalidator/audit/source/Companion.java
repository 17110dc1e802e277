// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

/** The files that Kafka keeps beside a segment. */
public enum Companion {
  /** Offsets and positions of some batches. */
  OFFSET_INDEX(".index"),
  /** The largest timestamps so far, and their offsets. */
  TIME_INDEX(".timeindex"),
  /** The aborted transactions that end in the segment. */
  TXN_INDEX(".txnindex");

  private final String suffix;

  Companion(String suffix) {
    this.suffix = suffix;
  }

  /** Returns the end of the file name, which replaces {@code .log}. */
  public String suffix() {
    return suffix;
  }
}
