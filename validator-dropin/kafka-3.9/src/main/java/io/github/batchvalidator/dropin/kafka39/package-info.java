// SPDX-License-Identifier: Apache-2.0

/** The types that moved between Kafka lines, as in Kafka 3.9. */
@NullMarked
package io.github.batchvalidator.dropin.kafka39;

import org.jspecify.annotations.NullMarked;
