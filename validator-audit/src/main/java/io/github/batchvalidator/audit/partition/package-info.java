// SPDX-License-Identifier: Apache-2.0

/**
 * Checks of a partition that no batch shows by itself. {@code PartitionAudit} passes each batch to
 * all of them, in the order of the log.
 */
package io.github.batchvalidator.audit.partition;
