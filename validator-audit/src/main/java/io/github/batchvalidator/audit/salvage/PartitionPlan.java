// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.salvage;

import io.github.batchvalidator.audit.report.LostMarker;
import java.util.List;

/**
 * The plans for the damaged segments of a partition.
 *
 * @param plans the plans in the order of the segments
 * @param kept the offsets of all segments of the partition that are in sound files, old or new
 * @param markers the transaction markers that would be lost
 */
public record PartitionPlan(List<SalvagePlan> plans, OffsetSet kept, List<LostMarker> markers) {}
