// SPDX-License-Identifier: Apache-2.0

/**
 * The rules, one method each, and the positions of the faults that rules and cursors find. The list
 * at the top of each class calls the rules in Kafka's order.
 */
package io.github.batchvalidator.internal.check;
