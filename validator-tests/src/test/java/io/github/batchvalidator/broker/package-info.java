// SPDX-License-Identifier: Apache-2.0

/**
 * Unmodified brokers, each in a JVM of its own, with the drop-in jar in front of their class path
 * and without it: what clients see and what lies in the logs has to be the same.
 */
@NullMarked
package io.github.batchvalidator.broker;

import org.jspecify.annotations.NullMarked;
