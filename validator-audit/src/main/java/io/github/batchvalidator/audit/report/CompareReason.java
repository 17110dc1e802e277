// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.util.Locale;

/**
 * The reasons for differences between the copies of a partition. The name of a constant is its
 * stable id.
 */
public enum CompareReason implements AuditReason {
  /** Batches of a copy are damaged, which the copy shows by itself. */
  COPY_DAMAGED("damaged in %s"),
  /** A copy lacks offsets that another copy has. */
  COPY_OFFSETS_MISSING("missing in %s"),
  /** No copy has offsets below all high watermarks. */
  COPY_END_MISSING("all copies end before offset %d, which is below each high watermark"),
  /** The same batch has another base offset. */
  COPY_BASE_OFFSET_DIFFERS("the same batch has another base offset in %s"),
  /** The same batch has another leader epoch. */
  COPY_LEADER_EPOCH_DIFFERS("the same batch has leader epochs %s"),
  /** Sound batches of different leaders have the same offsets. */
  COPY_DIVERGED("different batches: leader epochs %s"),
  /** Sound batches of the same leader differ. */
  COPY_BATCH_DIFFERS("different bytes in: %s"),
  /** Records that compaction has kept differ. */
  COPY_RECORDS_DIFFER("%s"),
  /** The hashes of a range differ. */
  COPY_RANGE_DIFFERS("%s"),
  /** Directories of the same name belong to different topics. */
  COPY_TOPIC_ID_DIFFERS("the topic ids are %s");

  private final String sentence;

  CompareReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String describe(Object... operands) {
    return String.format(Locale.ROOT, sentence, operands);
  }
}
