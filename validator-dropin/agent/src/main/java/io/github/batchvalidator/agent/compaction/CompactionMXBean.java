// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.util.Map;

/** The counts of the compaction guard since the broker started, over JMX: {@value #NAME}. */
public interface CompactionMXBean {
  /** The name of the bean. */
  String NAME = "io.github.batchvalidator:type=Compaction";

  /** {@return segments that were checked to their end} */
  long getCheckedSegments();

  /** {@return bytes of these segments} */
  long getCheckedBytes();

  /** {@return batches of these segments} */
  long getCheckedBatches();

  /** {@return milliseconds spent in checks, with the waiting of Kafka's throttler} */
  long getCheckMillis();

  /** {@return segments that could not be checked and were left to Kafka} */
  long getUncheckedSegments();

  /** {@return damaged batches by partition: alert on any} */
  Map<String, Long> getDamagedByPartition();

  /** {@return damaged batches by reason} */
  Map<String, Long> getDamagedByReason();

  /** {@return batches with faults that do not stop compaction, by reason} */
  Map<String, Long> getCountedByReason();
}
