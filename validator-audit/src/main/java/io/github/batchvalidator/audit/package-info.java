// SPDX-License-Identifier: Apache-2.0

/**
 * The audit of log segments and partitions, by several threads.
 *
 * <ul>
 *   <li>The package {@code walk} splits each segment into slices at batch boundaries.
 *   <li>{@code SliceCheck} inspects the batches of a slice.
 *   <li>{@code SliceMerge} lets the threads take turns, so that the results are in file order.
 *   <li>{@code FileReports} passes the results to a {@code Report}. It feeds the headers of sound
 *       batches to the audits of their partitions.
 * </ul>
 *
 * <p>Files are opened for reading only. The types of this module are no interface for other
 * projects.
 */
package io.github.batchvalidator.audit;
