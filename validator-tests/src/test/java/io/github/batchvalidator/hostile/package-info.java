// SPDX-License-Identifier: Apache-2.0

/**
 * Inputs that are made to harm, and what becomes of them here and in a stock broker: made from a
 * seed, never stored, told in {@code results/hostile.md} by their class.
 */
package io.github.batchvalidator.hostile;
