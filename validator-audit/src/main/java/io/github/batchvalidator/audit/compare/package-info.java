// SPDX-License-Identifier: Apache-2.0

/**
 * The comparison of copies of a partition, from their bytes or from digests.
 *
 * <ul>
 *   <li>{@code CopyFiles} are the segments and checkpoints of a copy, {@code CopyCursor} reads its
 *       batches in the order of the files.
 *   <li>{@code LogComparison} moves one cursor per copy through the offsets, and finds differences.
 *   <li>{@code Digest} has hashes of ranges, which {@code DigestMaker} computes, a file keeps and
 *       {@code DigestComparison} compares.
 *   <li>{@code PartitionCompare} compares one partition, {@code CompareRun} many with several
 *       threads.
 * </ul>
 */
package io.github.batchvalidator.audit.compare;
