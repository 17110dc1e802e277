// SPDX-License-Identifier: Apache-2.0

/**
 * What the batches of the benchmarks look like: made from a seed, written by Kafka's own builder.
 */
package io.github.batchvalidator.bench.workload;
