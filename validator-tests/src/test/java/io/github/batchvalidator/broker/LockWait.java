// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.time.Instant;

/**
 * One append that waited for the lock.
 *
 * @param end when it got it
 * @param nanos how long it waited
 */
record LockWait(Instant end, long nanos) {}
