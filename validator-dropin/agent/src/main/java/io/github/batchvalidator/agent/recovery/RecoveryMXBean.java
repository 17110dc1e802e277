// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.util.Map;

/**
 * The counts of recovery since the broker started, over JMX, under the name {@value #NAME}. The
 * keys of maps are partitions, as their directories are named, unless stated otherwise.
 */
public interface RecoveryMXBean {
  /** The name of the bean. */
  String NAME = "io.github.batchvalidator:type=Recovery";

  /** {@return the version of Kafka whose code the broker has, or several with the same code} */
  String getKafkaVersion();

  /** {@return the number of segments that the agent recovered} */
  long getRecoveredSegments();

  /** {@return the number of bytes of these segments} */
  long getRecoveredBytes();

  /** {@return segments that were left to Kafka's own method, by reason} */
  Map<String, Long> getLeftToKafka();

  /** {@return recovered bytes} */
  Map<String, Long> getBytesByPartition();

  /** {@return recovered batches} */
  Map<String, Long> getBatchesByPartition();

  /** {@return the time that recovery took, in milliseconds} */
  Map<String, Long> getMillisByPartition();

  /** {@return the bytes that are still to be recovered, estimated from recovery points} */
  long getBytesLeft();

  /** {@return the seconds that this takes at the rate so far} */
  long getSecondsLeft();
}
