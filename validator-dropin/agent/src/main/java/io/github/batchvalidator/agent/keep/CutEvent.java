// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The event of a cut. Must not be loaded if {@code jdk.jfr} is missing. */
@Name(CutEvent.NAME)
@Label("Cut")
@Category("Batch Validator")
@Description("Bytes that Kafka cut or deleted while it recovered a log")
@StackTrace(false)
final class CutEvent extends Event {
  static final String NAME = "io.github.batchvalidator.Cut";

  @Label("Outcome")
  @Description("KEPT, TORN, OBSERVED or LOST")
  @Nullable String outcome;

  @Label("Segment")
  @Nullable String segment;

  @Label("Size")
  @Description("The number of cut bytes, or -1 if it is not known")
  @DataAmount
  long bytes;

  @Label("Reason")
  @Nullable String reason;

  @Label("Kept As")
  @Nullable String kept;

  private CutEvent() {}

  static void write(String outcome, String segment, long bytes, String reason, String kept) {
    CutEvent event = new CutEvent();
    if (!event.isEnabled()) {
      return;
    }
    event.outcome = outcome;
    event.segment = segment;
    event.bytes = bytes;
    event.reason = reason;
    event.kept = kept;
    event.commit();
  }
}
