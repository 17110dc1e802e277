// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.agent.compaction.CompactionGuard.Callbacks;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.junit.jupiter.api.Test;

/** A segment that the guard cannot read is left to Kafka. */
class CompactionGuardTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private final CompactionReport report = new CompactionReport();
  private final CompactionGuard guard = new CompactionGuard(true, report);

  private final Callbacks callbacks = new Callbacks(partition -> {}, null); // reads nothing

  @Test
  void aSegmentWithoutFilesIsLeftToKafka() {
    LogSegment segment = new LogSegment(null, null, null, null, 0, 0, 0, Time.SYSTEM);
    guard.dirty(callbacks, PARTITION, segment);
    guard.group(callbacks, PARTITION, List.of(segment));
    assertEquals(1, report.unchecked());
    guard.group(callbacks, PARTITION, List.of(segment));
    assertEquals(2, report.unchecked());
  }
}
