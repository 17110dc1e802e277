// SPDX-License-Identifier: Apache-2.0

/** Tests of what the batches of the benchmarks look like. */
package io.github.batchvalidator.bench.workload;
