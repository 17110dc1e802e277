// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

/**
 * What was found in one file.
 *
 * @param name as it is told to people
 * @param bytes size of the file
 * @param firstOffset of the first batch, if there is one
 * @param lastOffset of the last batch, if there is one
 * @param complete false if reading failed on the way
 */
record FileSummary(
    String name, long bytes, long firstOffset, long lastOffset, boolean complete, Tally tally) {}
