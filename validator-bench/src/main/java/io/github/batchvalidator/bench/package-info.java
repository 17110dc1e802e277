// SPDX-License-Identifier: Apache-2.0

/**
 * JMH benchmarks: which batches, of {@link io.github.batchvalidator.bench.workload}, go through
 * which contenders, of {@link io.github.batchvalidator.bench.body}. What they are compared with is
 * a value of the same parameter, and what each body computes is asserted in a test.
 */
package io.github.batchvalidator.bench;
