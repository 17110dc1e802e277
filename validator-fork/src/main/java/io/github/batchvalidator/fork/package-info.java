// SPDX-License-Identifier: Apache-2.0

/**
 * The additions of a fork of Kafka to {@code UnifiedLog}. They inspect and rebuild batches of
 * clients before the log takes its lock, and only stamp them under it.
 *
 * <p>{@link io.github.batchvalidator.fork.EarlyAppends} is the entry. {@code fork.xml} has the
 * places where {@code UnifiedLog} calls it.
 */
@NullMarked
package io.github.batchvalidator.fork;

import org.jspecify.annotations.NullMarked;
