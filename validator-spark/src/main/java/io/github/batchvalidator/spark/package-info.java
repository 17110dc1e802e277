// SPDX-License-Identifier: Apache-2.0

/**
 * The audit of {@code ./check} on Spark: {@code AuditCommand} reads the command line and prints,
 * {@code SparkAudit} runs the three steps.
 *
 * <ol>
 *   <li>On the driver, {@code inventory} lists the segments and divides them among tasks.
 *   <li>In tasks, {@code check} checks each segment, and then merges the results by partition.
 *   <li>The driver adds up the rows and passes them to the report of {@code ./check}.
 * </ol>
 *
 * <p>Both read files through {@code storage}. Records do not leave the task that reads them.
 */
@NullMarked
package io.github.batchvalidator.spark;

import org.jspecify.annotations.NullMarked;
