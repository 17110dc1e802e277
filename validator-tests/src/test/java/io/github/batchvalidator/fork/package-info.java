// SPDX-License-Identifier: Apache-2.0

/** The fork of {@code kafka-storage}: its own classes, its jar, and Kafka's own tests with it. */
@NullMarked
package io.github.batchvalidator.fork;

import org.jspecify.annotations.NullMarked;
