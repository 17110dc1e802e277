// SPDX-License-Identifier: Apache-2.0

/** The runs of JMH that {@code ./bench quick} and {@code ./bench full} make, and their order. */
package io.github.batchvalidator.bench.plan;
