// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The event of a refused upload. Must not be loaded if {@code jdk.jfr} is missing. */
@Name(RefusedUploadEvent.NAME)
@Label("Refused Upload")
@Category("Batch Validator")
@Description("A segment that was not copied to the tiered storage. Each retry is an event")
@StackTrace(false)
final class RefusedUploadEvent extends Event {
  // In this package: the build of the plugin moves all other names that start with ours.
  static final String NAME = "io.github.batchvalidator.tiered.RefusedUpload";

  @Label("Segment")
  @Nullable String segment;

  @Label("Reasons")
  @Description("The reasons of the faults, or empty if the segment could not be audited")
  @Nullable String reasons;

  @Label("Message")
  @Nullable String message;

  private RefusedUploadEvent() {}

  static void write(String segment, String reasons, String message) {
    RefusedUploadEvent event = new RefusedUploadEvent();
    if (!event.isEnabled()) {
      return;
    }
    event.segment = segment;
    event.reasons = reasons;
    event.message = message;
    event.commit();
  }
}
