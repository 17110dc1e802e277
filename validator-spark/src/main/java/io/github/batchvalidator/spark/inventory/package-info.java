// SPDX-License-Identifier: Apache-2.0

/**
 * What there is to check. {@code Inventory} finds the segments below the paths that a user names,
 * and {@code TaskPlan} splits them into the work of tasks. References to segments travel to the
 * tasks, which open them with {@code SegmentOpener}.
 */
@NullMarked
package io.github.batchvalidator.spark.inventory;

import org.jspecify.annotations.NullMarked;
