// SPDX-License-Identifier: Apache-2.0

/**
 * A sound directory of a partition, made of the sound batches of several copies.
 *
 * <p>{@code Repair} checks the copies as {@code ./check} does, which gives the runs of sound
 * batches of each {@code Copy}. {@code PlainMerge} and {@code CompactedMerge} choose a run for each
 * offset. {@code PartitionWriter} writes the batches and everything that a broker keeps beside
 * them.
 */
package io.github.batchvalidator.audit.repair;
