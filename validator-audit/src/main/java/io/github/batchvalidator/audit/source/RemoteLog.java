// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import io.github.batchvalidator.audit.report.FileFault;
import java.util.List;
import java.util.NavigableMap;

/**
 * The state of a partition in a tiered storage, known before its segments are read.
 *
 * @param lineage the final history of the partition: each leader epoch by its first offset; empty
 *     if it is unknown
 * @param localStart the offset at which the local log starts, or -1 if it is unknown
 * @param faults what was found when the objects were listed
 */
public record RemoteLog(
    NavigableMap<Long, Integer> lineage, long localStart, List<FileFault> faults) {}
