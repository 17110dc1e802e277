// SPDX-License-Identifier: Apache-2.0

/**
 * Turns JMH's results into files to publish, compares two of them, and makes the tables and charts
 * of the documents.
 */
package io.github.batchvalidator.bench.report;
