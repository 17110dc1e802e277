// SPDX-License-Identifier: Apache-2.0

/**
 * A Java agent for a stock broker with a drop-in jar.
 *
 * <p>The agent changes one method of Kafka, so that batches are inspected before the partition lock
 * is taken. If the method does not have the expected code, the agent changes nothing.
 */
@NullMarked
package io.github.batchvalidator.agent;

import org.jspecify.annotations.NullMarked;
