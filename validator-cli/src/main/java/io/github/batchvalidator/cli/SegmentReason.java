// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.util.Locale;

/**
 * What can be wrong with a segment beyond its single batches. The name of a constant is its stable
 * id, as with the core's {@code Reason}.
 */
enum SegmentReason {
  /** The file ends inside a batch, or in zeros; a broker truncates it here after a crash. */
  SEGMENT_TRUNCATED_TAIL("%s; truncate to %d bytes, which drops %d"),
  /** The start of a batch cannot be believed, but an intact batch was found further on. */
  SEGMENT_FRAMING_CORRUPT("%s; goes on at byte %d, the next intact batch, %d bytes are skipped"),
  /** The start of a batch cannot be believed and no intact batch was found further on. */
  SEGMENT_SCAN_STOPPED("%s; cannot go on: stopped at byte %d, %d bytes are not checked"),
  /** A batch starts at or below the last offset of the batch before it. */
  SEGMENT_OFFSETS_OUT_OF_ORDER("base offset is %d, the batch before it ends at %d"),
  /** The first batch lies below the offset that the file is named after, or below 0. */
  SEGMENT_OFFSET_BELOW_BASE("base offset is %d, the segment starts at %d");

  private final String sentence;

  SegmentReason(String sentence) {
    this.sentence = sentence;
  }

  /** Says in a sentence what was found. */
  String describe(Object... operands) {
    return String.format(Locale.ROOT, sentence, operands);
  }
}
