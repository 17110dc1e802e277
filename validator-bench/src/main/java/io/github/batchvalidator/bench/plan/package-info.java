// SPDX-License-Identifier: Apache-2.0

/** Which runs of JMH {@code ./bench} makes of what it is asked for, and in which order. */
package io.github.batchvalidator.bench.plan;
