// SPDX-License-Identifier: Apache-2.0

/**
 * Live brokers, each in a JVM and a folder of its own, with the drop-in jar in front of their class
 * path or without it: started here for the tests too.
 */
package io.github.batchvalidator.bench.broker;
