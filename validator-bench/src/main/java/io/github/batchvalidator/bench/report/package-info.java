// SPDX-License-Identifier: Apache-2.0

/**
 * What {@code ./bench} does with the files that JMH writes: makes them fit to be published,
 * compares two of them, and turns them into the tables of the documents and a report to look at.
 */
package io.github.batchvalidator.bench.report;
