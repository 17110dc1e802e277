// SPDX-License-Identifier: Apache-2.0

/** What moved between Kafka lines, as it is in Kafka 3.9. */
@NullMarked
package io.github.batchvalidator.dropin.kafka39;

import org.jspecify.annotations.NullMarked;
