// SPDX-License-Identifier: Apache-2.0

/**
 * Inspects record batches before they are appended to a log, and stamps them when they are.
 *
 * <p>{@link io.github.batchvalidator.BatchValidator} reads and never writes; it belongs in front of
 * the partition lock. {@link io.github.batchvalidator.OffsetStamp} writes a few header fields and
 * belongs inside of it.
 */
package io.github.batchvalidator;
