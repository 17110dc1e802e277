// SPDX-License-Identifier: Apache-2.0

/**
 * Cursors over the batches of a buffer and over the records of a batch. Their accessors return the
 * fields of the current item.
 */
package io.github.batchvalidator.internal.scan;
