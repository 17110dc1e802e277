// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.util.Locale;

/**
 * The reasons for faults and findings of a tiered storage. The name of a constant is its stable id.
 */
public enum TieredReason implements AuditReason {
  /** A segment lacks an object that it needs. */
  TIERED_OBJECT_MISSING("the segment has no %s object"),
  /** A finding: an object belongs to no segment, or is left from an upload that failed. */
  TIERED_OBJECT_ORPHAN("%s"),
  /** An object has another size than the manifest states. */
  TIERED_OBJECT_SIZE_MISMATCH("the object has %d bytes, the manifest has %d"),
  /** A manifest cannot be parsed, or its numbers contradict each other. */
  TIERED_MANIFEST_INVALID("%s"),
  /** A manifest contradicts the object names or the batches of the segment. */
  TIERED_MANIFEST_MISMATCH("the %s is %s, the segment has %s"),
  /** A chunk cannot be decompressed, or has another size than the manifest states. */
  TIERED_CHUNK_CORRUPT("chunk %d %s"),

  /** A finding: two segments have the same batches. */
  TIERED_SEGMENTS_OVERLAP("offset %d is in an earlier segment too, which ends at %d"),
  /** A finding: the leader epoch of a batch is not in the final history of the partition. */
  TIERED_SEGMENT_SUPERSEDED("the batch has leader epoch %d, offset %d now has leader epoch %d"),
  /** Two segments have different batches at the same offsets and leader epoch. */
  TIERED_SEGMENTS_CONFLICT("an earlier segment has another batch at offset %d"),
  /** Offsets between the tiered segments and the local log are missing. */
  TIERED_LOCAL_GAP("the local log starts at offset %d, the tiered segments end at %d"),
  /** A finding: the local partition belongs to another topic of the same name. */
  TIERED_TOPIC_ID_MISMATCH("the topic id is %s, the local partition has %s");

  private final String sentence;

  TieredReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String describe(Object... operands) {
    return String.format(Locale.ROOT, sentence, operands);
  }
}
