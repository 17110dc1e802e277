// SPDX-License-Identifier: Apache-2.0

/**
 * A {@code RemoteStorageManager} that checks each segment before the manager that it wraps uploads
 * the segment.
 *
 * <ul>
 *   <li>{@code AuditingStorageManager} is the class that a broker is configured with. It passes all
 *       calls on.
 *   <li>{@code UploadAudit} audits the files of one upload with the audit library.
 *   <li>{@code AuditedUploads} remembers results, because a broker retries a failed upload.
 *   <li>{@code TieredCounts} has the numbers of the MBean.
 * </ul>
 */
package io.github.batchvalidator.tiered;
