// SPDX-License-Identifier: Apache-2.0

/**
 * The executable specification: a model of what an answer has to be, written from {@code docs/}, a
 * generator that mixes everything that can be combined, and a comparison of the two.
 *
 * <p>The model shares no code with the engine. It reads batches with Kafka's own record classes.
 */
@NullMarked
package io.github.batchvalidator.testkit.specification;

import org.jspecify.annotations.NullMarked;
