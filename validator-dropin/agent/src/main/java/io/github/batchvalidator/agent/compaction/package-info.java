// SPDX-License-Identifier: Apache-2.0

/**
 * The part of the agent that checks segments before Kafka compacts them.
 *
 * <p>Kafka compacts without a look at the CRC. A damaged batch is then written again with a valid
 * CRC, or an exception stops the compaction of the partition, or an error ends the thread that
 * compacts all partitions. The guard reads a segment first, and throws an exception that makes
 * Kafka leave this one partition alone.
 */
@NullMarked
package io.github.batchvalidator.agent.compaction;

import org.jspecify.annotations.NullMarked;
