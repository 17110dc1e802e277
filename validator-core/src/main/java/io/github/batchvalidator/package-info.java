// SPDX-License-Identifier: Apache-2.0

/**
 * The calls of a host that appends record batches, or that reads their records.
 *
 * <p>An append: {@link io.github.batchvalidator.BatchValidator} inspects a batch before the
 * partition lock, {@link io.github.batchvalidator.BatchRebuilder} writes a new one if necessary,
 * and {@link io.github.batchvalidator.OffsetStamp} writes the offsets inside the lock. The page of
 * the first class has an example.
 *
 * <p>A host that has decompressed a batch itself reads the sizes and times of its records with
 * {@link io.github.batchvalidator.RecordCursor}, in 2 KB whatever the size of a record:
 *
 * <pre>{@code
 * RecordCursor cursor = new RecordCursor(); // once per thread
 * long bytes = 0;
 * cursor.open(decompressed, recordCount, Limits.BROKER_DEFAULT);
 * while (cursor.next()) {
 *   bytes += Math.max(0, cursor.keySize()) + Math.max(0, cursor.valueSize()); // negative: null
 * }
 * if (!cursor.finish()) {
 *   throw new IOException("unreadable: " + cursor.failure(), cursor.cause());
 * }
 * }</pre>
 */
package io.github.batchvalidator;
