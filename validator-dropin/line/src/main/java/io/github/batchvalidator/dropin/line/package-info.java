// SPDX-License-Identifier: Apache-2.0

/** The types that moved between Kafka lines, as in Kafka __kafka.served__. */
@NullMarked
package io.github.batchvalidator.dropin.line;

import org.jspecify.annotations.NullMarked;
