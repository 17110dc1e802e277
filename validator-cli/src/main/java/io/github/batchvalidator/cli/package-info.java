// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code check} command, which inspects every batch of log segments with several threads.
 *
 * <ul>
 *   <li>{@code CheckCommand} parses the arguments.
 *   <li>{@code SegmentFiles} finds the files.
 *   <li>{@code SegmentWalk} splits each file into slices at batch boundaries. It reads only the
 *       batch headers unless a length is doubtful.
 *   <li>{@code SliceCheck} inspects a slice.
 *   <li>{@code SliceMerge} merges the results in file order and passes them to a {@code Report}.
 * </ul>
 *
 * <p>Files are opened for reading only.
 */
package io.github.batchvalidator.cli;
