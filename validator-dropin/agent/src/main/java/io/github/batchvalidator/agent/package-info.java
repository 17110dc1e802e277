// SPDX-License-Identifier: Apache-2.0

/**
 * A Java agent for a stock broker with a drop-in jar: it changes one method of Kafka's, so that
 * batches are inspected before the partition's lock is taken, and leaves alone what it does not
 * know.
 */
@NullMarked
package io.github.batchvalidator.agent;

import org.jspecify.annotations.NullMarked;
