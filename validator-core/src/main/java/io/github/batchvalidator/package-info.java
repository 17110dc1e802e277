// SPDX-License-Identifier: Apache-2.0

/**
 * The calls of a host that appends record batches. Start with {@link
 * io.github.batchvalidator.BatchValidator}.
 */
package io.github.batchvalidator;
