// SPDX-License-Identifier: Apache-2.0

/**
 * Clusters of three brokers that are killed again and again under load, and what has to be true of
 * their logs afterwards.
 */
@NullMarked
package io.github.batchvalidator.chaos;

import org.jspecify.annotations.NullMarked;
