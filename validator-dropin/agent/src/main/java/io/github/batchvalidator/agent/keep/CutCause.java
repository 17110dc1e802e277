// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

/** A reason for which recovery cuts or deletes. */
public enum CutCause {
  /** {@code LogSegment.recover} truncates at the first batch that is not sound. */
  TRUNCATED("the first batch at this position is not sound, so Kafka cuts the segment there"),
  /** {@code LogLoader.recoverLog} empties the segment. */
  EMPTIED("reading the segment failed, or its offsets do not increase, so Kafka empties it"),
  /** {@code LogLoader.recoverLog} deletes the segments after one that it has cut. */
  AFTER_CUT("an earlier segment was cut, so Kafka deletes this one"),
  /** The log ends before its start offset. */
  BEFORE_START("the log ends before its start offset, so Kafka deletes all segments");

  private final String sentence;

  CutCause(String sentence) {
    this.sentence = sentence;
  }

  String sentence() {
    return sentence;
  }
}
