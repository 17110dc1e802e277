// SPDX-License-Identifier: Apache-2.0

/**
 * The cursors by themselves. In the package of the classes, because a record that takes the slow
 * path or is copied without need has the same verdict.
 */
package io.github.batchvalidator.internal.scan;
