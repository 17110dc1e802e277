// SPDX-License-Identifier: Apache-2.0

/** The types that moved between Kafka lines, as in Kafka 4.3. */
@NullMarked
package io.github.batchvalidator.dropin.kafka43;

import org.jspecify.annotations.NullMarked;
