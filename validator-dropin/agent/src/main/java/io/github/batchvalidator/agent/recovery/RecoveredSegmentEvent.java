// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The event of a segment. Must not be loaded if {@code jdk.jfr} is missing. */
@Name(RecoveredSegmentEvent.NAME)
@Label("Recovered Segment")
@Category("Batch Validator")
@Description("A segment that was recovered after an unclean stop")
@StackTrace(false)
final class RecoveredSegmentEvent extends Event {
  static final String NAME = "io.github.batchvalidator.RecoveredSegment";

  @Label("Partition")
  @Nullable String partition;

  @Label("Base Offset")
  long baseOffset;

  @Label("Size")
  @DataAmount
  long bytes;

  @Label("Batches")
  long batches;

  @Label("Time")
  @Timespan(Timespan.NANOSECONDS)
  long nanos;

  @Label("Left to Kafka")
  @Description("Why Kafka's own method recovered the segment, or empty")
  @Nullable String left;

  private RecoveredSegmentEvent() {}

  static void write(
      String partition, long baseOffset, long bytes, long batches, long nanos, String left) {
    RecoveredSegmentEvent event = new RecoveredSegmentEvent();
    if (!event.isEnabled()) {
      return;
    }
    event.partition = partition;
    event.baseOffset = baseOffset;
    event.bytes = bytes;
    event.batches = batches;
    event.nanos = nanos;
    event.left = left;
    event.commit();
  }
}
