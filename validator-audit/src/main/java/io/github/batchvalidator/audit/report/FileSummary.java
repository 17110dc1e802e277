// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.io.Serializable;

/**
 * The results for one file.
 *
 * @param name the name to show in reports
 * @param bytes the size of the file
 * @param firstOffset the first offset of the first batch; undefined without batches
 * @param lastOffset the last offset of the last batch; undefined without batches
 * @param complete false if a read failed before the end of the file
 * @param tally the counts of the file
 */
public record FileSummary(
    String name, long bytes, long firstOffset, long lastOffset, boolean complete, Tally tally)
    implements Serializable {}
