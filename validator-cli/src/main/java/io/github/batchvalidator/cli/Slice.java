// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import org.jspecify.annotations.Nullable;

/**
 * A piece of work: whole batches, one behind the other, and what is wrong behind them.
 *
 * @param index counts the slices of a run, from 0
 * @param segment holds the bytes
 * @param from position of the first batch
 * @param to position behind the last batch
 * @param fault why the walk could not simply go on at {@code to}, or null
 * @param last true if nothing more of the segment follows
 */
record Slice(
    long index, Segment segment, long from, long to, @Nullable Fault fault, boolean last) {}
