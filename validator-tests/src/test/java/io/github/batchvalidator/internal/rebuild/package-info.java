// SPDX-License-Identifier: Apache-2.0

/**
 * Tests of what rebuilt batches are written with. In the package of the classes, so that fixed
 * sizes can be tested at their borders.
 */
package io.github.batchvalidator.internal.rebuild;
