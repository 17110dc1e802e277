// SPDX-License-Identifier: Apache-2.0

/**
 * The answer to a refused batch: Kafka's exception, text and meter for each reason. {@link
 * io.github.batchvalidator.dropin.refusal.Refusals} is the entry.
 */
@NullMarked
package io.github.batchvalidator.dropin.refusal;

import org.jspecify.annotations.NullMarked;
