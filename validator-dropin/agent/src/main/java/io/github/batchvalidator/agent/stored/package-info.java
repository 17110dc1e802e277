// SPDX-License-Identifier: Apache-2.0

/**
 * The part of the agent that changes what a broker does with stored batches.
 *
 * <p>A part of Kafka is changed only if the setting of that part is on and the code of all methods
 * that are replaced or called is known ({@code known-code.txt}).
 */
@NullMarked
package io.github.batchvalidator.agent.stored;

import org.jspecify.annotations.NullMarked;
