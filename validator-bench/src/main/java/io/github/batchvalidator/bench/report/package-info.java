// SPDX-License-Identifier: Apache-2.0

/**
 * JMH's results: {@link io.github.batchvalidator.bench.report.Publication} writes them, and {@link
 * io.github.batchvalidator.bench.report.ReportCommand} compares them and draws the charts of the
 * README.
 */
package io.github.batchvalidator.bench.report;
