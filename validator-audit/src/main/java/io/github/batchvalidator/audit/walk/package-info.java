// SPDX-License-Identifier: Apache-2.0

/**
 * How a segment is split into slices at batch boundaries. {@code SegmentWalk} reads only the batch
 * headers unless a length is doubtful, and finds the next intact batch after a damaged one.
 */
package io.github.batchvalidator.audit.walk;
