// SPDX-License-Identifier: Apache-2.0

/** The batches of the benchmarks: made from a seed, written by Kafka's own builder. */
package io.github.batchvalidator.bench.workload;
