// SPDX-License-Identifier: Apache-2.0

/**
 * The engines of the core, as an append uses them: guarded against failures, and with a second
 * check in Kafka's order. {@link io.github.batchvalidator.dropin.engine.Slots} lends them to
 * threads.
 */
@NullMarked
package io.github.batchvalidator.dropin.engine;

import org.jspecify.annotations.NullMarked;
