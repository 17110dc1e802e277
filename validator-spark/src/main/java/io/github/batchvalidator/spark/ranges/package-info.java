// SPDX-License-Identifier: Apache-2.0

/**
 * The check of ranges of bytes, in tasks.
 *
 * <ul>
 *   <li>{@code RangeCheck} checks one range. It starts at the first intact batch.
 *   <li>{@code SegmentMerge} merges the results of a segment. It checks again what a range could
 *       not know.
 *   <li>Results travel as {@code Chunk}s of batch headers, counts and faults, and end as {@code
 *       Row}s of the report.
 * </ul>
 */
@NullMarked
package io.github.batchvalidator.spark.ranges;

import org.jspecify.annotations.NullMarked;
