// SPDX-License-Identifier: Apache-2.0

/** Tests of what becomes of JMH's results. */
package io.github.batchvalidator.bench.report;
