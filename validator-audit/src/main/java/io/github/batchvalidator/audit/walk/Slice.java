// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.source.Segment;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: a sequence of whole batches, and the fault after them, if any.
 *
 * @param index the number of the slice in the run, from 0
 * @param segment the segment that holds the bytes
 * @param from the position of the first batch
 * @param to the position after the last batch
 * @param fault the fault at {@code to}, or null if the walk can continue there
 * @param last true if this is the last slice of the segment
 */
public record Slice(
    long index, Segment segment, long from, long to, @Nullable Fault fault, boolean last) {}
