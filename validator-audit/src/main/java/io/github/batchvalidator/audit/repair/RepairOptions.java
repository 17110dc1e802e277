// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import org.jspecify.annotations.Nullable;

/**
 * The user's decisions about a repair.
 *
 * @param preferred the name of the copy to take where sound copies differ, or null to refuse
 * @param losesRecords true to go on without offsets that no copy has
 * @param losesMarkers true to go on where a marker of a transaction may be lost
 * @param compacted true if the partition is known to be compacted
 * @param uncompacted true if the partition is known not to be compacted
 * @param asStored true to take batches that break a rule but have a right checksum
 */
public record RepairOptions(
    @Nullable String preferred,
    boolean losesRecords,
    boolean losesMarkers,
    boolean compacted,
    boolean uncompacted,
    boolean asStored) {
  boolean prefers(Copy copy) {
    return copy.name().equals(preferred);
  }
}
