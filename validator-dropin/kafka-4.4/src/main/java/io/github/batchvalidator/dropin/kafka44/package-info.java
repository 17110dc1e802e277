// SPDX-License-Identifier: Apache-2.0

/** What moved between Kafka lines, as it is in Kafka 4.4. */
@NullMarked
package io.github.batchvalidator.dropin.kafka44;

import org.jspecify.annotations.NullMarked;
