// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code check} command: inspects every batch of log segments, several at a time.
 *
 * <p>{@code CheckCommand} reads the arguments, {@code SegmentFiles} finds the files, {@code
 * SegmentWalk} cuts each at batch borders into slices by reading length fields only, {@code
 * SliceCheck} inspects a slice, {@code SliceMerge} puts the results together in file order and
 * hands them to a {@code Report}. Files are opened for reading only.
 */
package io.github.batchvalidator.cli;
