// SPDX-License-Identifier: Apache-2.0

/**
 * The rules, one method each, called in Kafka's order from the list at the top of each class, and
 * where in a batch lies what they and the cursors find.
 */
package io.github.batchvalidator.internal.check;
