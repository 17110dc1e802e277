// SPDX-License-Identifier: Apache-2.0

/**
 * {@code ./bench broker}, which measures live brokers under load, with the drop-in jar and without
 * it, and the time that brokers take to start.
 */
package io.github.batchvalidator.bench.broker;
