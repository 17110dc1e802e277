// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

/**
 * The log of the KRaft quorum. Its directory cannot be built from batches: the snapshots have what
 * was before the start of the log, and {@code quorum-state} has the vote of the node.
 */
public final class MetadataLog {
  /** The topic of the log. */
  public static final String TOPIC = "__cluster_metadata";

  private MetadataLog() {}
}
