// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.io.Serializable;

/**
 * A transaction marker that is, or may be, in a damaged part of a segment, although records of its
 * transaction are kept.
 *
 * @param file the damaged file
 * @param producerId the producer id
 * @param firstOffset the first offset that the marker may have
 * @param lastOffset the last offset that the marker may have
 * @param outcome how the transaction ended
 * @param firstRecord the first offset of the transaction that is kept
 * @param lastRecord the last offset of the transaction that is kept
 * @param records the number of records of the transaction that are kept
 */
public record LostMarker(
    String file,
    long producerId,
    long firstOffset,
    long lastOffset,
    Outcome outcome,
    long firstRecord,
    long lastRecord,
    long records)
    implements Serializable {
  /** How a transaction ended. */
  public enum Outcome {
    /** The records were rolled back. Without the marker, consumers may read them. */
    ABORTED,
    /** The records were committed. Without the marker, consumers may not read them. */
    COMMITTED,
    /** No file says whether the marker is lost, or what it was. */
    UNKNOWN
  }
}
