// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.SegmentReason;
import org.jspecify.annotations.Nullable;

/** The finding of a cursor between two batches. Reused for each batch. */
final class Trouble {
  private @Nullable FileFault first;
  private boolean gone;
  private String errorFile = "";
  private String error = "";

  void clear() {
    first = null;
    gone = false;
    error = "";
  }

  void fault(String file, Fault fault) {
    if (first == null) {
      first = new FileFault(file, fault);
    }
  }

  void gone() {
    gone = true;
  }

  void error(String file, Throwable why) {
    errorFile = file;
    error = Messages.of(why);
  }

  /** Returns true if anything was found. */
  boolean isFound() {
    return first != null || gone || hasError();
  }

  /** Returns the first fault, or null. */
  @Nullable FileFault fault() {
    return first;
  }

  /** Returns true if a file was deleted before it was read, so that its batches are unknown. */
  boolean isGone() {
    return gone;
  }

  boolean hasError() {
    return !error.isEmpty();
  }

  String errorFile() {
    return errorFile;
  }

  /** Returns why a file could not be read to its end. */
  String error() {
    return error;
  }

  /** Returns true if the end of a file is what a crash leaves, or a broker that writes. */
  boolean isTornTail() {
    FileFault found = first;
    return found != null
        && found.fault().reason().equals(SegmentReason.SEGMENT_TRUNCATED_TAIL.name());
  }
}
