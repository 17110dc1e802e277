// SPDX-License-Identifier: Apache-2.0

/**
 * What is asked and what is answered: policy, limits, reasons and the verdict.
 *
 * <p>Leaf data that every other package may read; nothing here reads another package.
 */
package io.github.batchvalidator.rule;
