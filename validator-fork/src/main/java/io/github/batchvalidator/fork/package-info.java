// SPDX-License-Identifier: Apache-2.0

/**
 * What a fork of Kafka adds to {@code UnifiedLog}: batches of clients are inspected and rebuilt
 * before the log's lock is taken, and only stamped under it.
 *
 * <p>{@link io.github.batchvalidator.fork.EarlyAppends} is the entry. {@code fork.xml} has the
 * places where {@code UnifiedLog} calls it.
 */
@NullMarked
package io.github.batchvalidator.fork;

import org.jspecify.annotations.NullMarked;
