// SPDX-License-Identifier: Apache-2.0

/**
 * Live brokers for tests and benchmarks, each in its own JVM and folder: {@link
 * io.github.batchvalidator.testkit.broker.BrokerJars} starts them, stock or with our jars, and
 * {@link io.github.batchvalidator.testkit.broker.BrokerClients} puts them under load.
 */
package io.github.batchvalidator.testkit.broker;
