// SPDX-License-Identifier: Apache-2.0

/**
 * The question and the answer of an inspection: policy, limits, reasons and the verdict.
 *
 * <p>Every other package may use this one; this package uses no other.
 */
package io.github.batchvalidator.rule;
