// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The event of a damaged batch. Must not be loaded if {@code jdk.jfr} is missing. */
@Name(DamagedBatchEvent.NAME)
@Label("Damaged Batch")
@Category("Batch Validator")
@Description("A damaged batch that was found before its segment was compacted")
@StackTrace(false)
final class DamagedBatchEvent extends Event {
  static final String NAME = "io.github.batchvalidator.DamagedBatch";

  @Label("Partition")
  @Nullable String partition;

  @Label("Segment")
  @Description("The base offset of the segment")
  long segment;

  @Label("Position")
  long position;

  @Label("Base Offset")
  long baseOffset;

  @Label("Reason")
  @Nullable String reason;

  @Label("Stopped")
  @Description("Whether compaction of the partition was stopped")
  boolean stopped;

  private DamagedBatchEvent() {}

  static void write(String partition, long segment, Fault fault, boolean stopped) {
    DamagedBatchEvent event = new DamagedBatchEvent();
    if (!event.isEnabled()) {
      return;
    }
    event.partition = partition;
    event.segment = segment;
    event.position = fault.position();
    event.baseOffset = fault.offset();
    event.reason = fault.reason().name();
    event.stopped = stopped;
    event.commit();
  }
}
