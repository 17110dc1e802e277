// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.util.Locale;

/**
 * The reasons for faults of a segment, rather than of a single batch. The name of a constant is its
 * stable id, as in the core's {@code Reason}.
 */
public enum SegmentReason implements AuditReason {
  /** The file ends inside a batch, or in zeros. A broker truncates the file here after a crash. */
  SEGMENT_TRUNCATED_TAIL(
      "%s; copy the partition before a broker starts, which may truncate the file to %d bytes and"
          + " drop %d"),
  /** The start of a batch is not plausible, but an intact batch was found further on. */
  SEGMENT_FRAMING_CORRUPT(
      "%s; the check resumes at byte %d, the next intact batch, and skips %d bytes"),
  /** The start of a batch is not plausible, and no intact batch was found further on. */
  SEGMENT_SCAN_STOPPED("%s; the check stopped at byte %d, %d bytes are not checked"),
  /** The file does not start with a batch, and no intact batch was found in it. */
  SEGMENT_NOT_RECOGNIZED("not a segment, or damaged from its start: %1$s, and no batch was found"),
  /** A batch starts at or below the last offset of the batch before it. */
  SEGMENT_OFFSETS_OUT_OF_ORDER("base offset is %d, the batch before it ends at %d"),
  /** The batches around a batch, or other files, show that its base offset is wrong. */
  SEGMENT_BASE_OFFSET_WRONG("base offset is %d; %s"),
  /** The first batch has a base offset below the one in the file name, or below 0. */
  SEGMENT_OFFSET_BELOW_BASE("base offset is %d, the segment starts at %d");

  private final String sentence;

  SegmentReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String describe(Object... operands) {
    return String.format(Locale.ROOT, sentence, operands);
  }
}
