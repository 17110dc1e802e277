// SPDX-License-Identifier: Apache-2.0

/**
 * The check of segments, in tasks.
 *
 * <ul>
 *   <li>{@code SegmentCheck} checks the segments of a task.
 *   <li>{@code SegmentMerge} merges the results of the segments of a partition.
 *   <li>Results travel as {@code Chunk}s of batch headers, counts and faults, and end as {@code
 *       Row}s of the report.
 * </ul>
 */
@NullMarked
package io.github.batchvalidator.spark.check;

import org.jspecify.annotations.NullMarked;
