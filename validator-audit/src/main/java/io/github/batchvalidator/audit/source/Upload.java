// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import io.github.batchvalidator.audit.report.FileFault;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The data that a tiered storage keeps for a segment besides the log and its indexes.
 *
 * @param manifest what the storage states about the segment, or null
 * @param leaderEpochs the checkpoint of leader epochs up to the end of the segment, or null
 * @param producerSnapshot the state of the producers after the segment, or null
 * @param faults what was found when the objects were listed and opened
 */
public record Upload(
    @Nullable Manifest manifest,
    @Nullable StoredFile leaderEpochs,
    @Nullable StoredFile producerSnapshot,
    List<FileFault> faults) {
  /**
   * The statements of a storage about a segment.
   *
   * @param name the name to show in reports
   * @param endOffset the last offset
   * @param maxTimestamp the largest timestamp
   * @param leaderEpochs the leader epochs by their first offset in the segment
   */
  public record Manifest(
      String name, long endOffset, long maxTimestamp, NavigableMap<Long, Integer> leaderEpochs) {}
}
