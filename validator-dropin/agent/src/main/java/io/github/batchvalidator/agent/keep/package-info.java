// SPDX-License-Identifier: Apache-2.0

/** A guard that keeps what Kafka's recovery cuts or deletes. */
@NullMarked
package io.github.batchvalidator.agent.keep;

import org.jspecify.annotations.NullMarked;
