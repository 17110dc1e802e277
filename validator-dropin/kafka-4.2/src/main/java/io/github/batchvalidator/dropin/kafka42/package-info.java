// SPDX-License-Identifier: Apache-2.0

/** The types that moved between Kafka lines, as in Kafka 4.2. */
@NullMarked
package io.github.batchvalidator.dropin.kafka42;

import org.jspecify.annotations.NullMarked;
