// SPDX-License-Identifier: Apache-2.0

/**
 * The rules, one static method each, called in Kafka's order from the list at the top of each
 * class.
 */
package io.github.batchvalidator.check;
