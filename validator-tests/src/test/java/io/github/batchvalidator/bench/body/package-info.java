// SPDX-License-Identifier: Apache-2.0

/** Tests of what the contenders of the benchmarks compute. */
package io.github.batchvalidator.bench.body;
