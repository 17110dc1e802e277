// SPDX-License-Identifier: Apache-2.0

/** The types that moved between Kafka lines, as in Kafka 4.0 and 4.1. */
@NullMarked
package io.github.batchvalidator.dropin.kafka41;

import org.jspecify.annotations.NullMarked;
