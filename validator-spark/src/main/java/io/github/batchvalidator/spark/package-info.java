// SPDX-License-Identifier: Apache-2.0

/**
 * The audit of {@code ./check} on Spark.
 *
 * <ul>
 *   <li>{@code Inventory} lists the segments on the driver, and splits them into ranges of bytes.
 *   <li>{@code RangeCheck} checks one range in a task. It starts at the first intact batch.
 *   <li>{@code SegmentMerge} merges the results of a segment. It checks again what a range could
 *       not know.
 * </ul>
 *
 * <p>Results travel as chunks of batch headers, counts and faults. Records do not leave the task
 * that reads them.
 */
@NullMarked
package io.github.batchvalidator.spark;

import org.jspecify.annotations.NullMarked;
