// SPDX-License-Identifier: Apache-2.0

/**
 * Segments in a tiered storage, read through the small interface {@code ObjectStore}.
 *
 * <ul>
 *   <li>{@code ObjectName} parses the names of both layouts: Kafka's {@code LocalTieredStorage} and
 *       Aiven's plugin.
 *   <li>{@code TieredFiles} lists a store and groups the objects by partition and segment.
 *   <li>{@code TieredSegment} reads the log of a segment, in chunks where the manifest says so.
 * </ul>
 */
package io.github.batchvalidator.audit.tiered;
