// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import java.io.Serializable;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A fault or a finding in a segment.
 *
 * @param reason the stable id: a core {@code Reason} or an {@link AuditReason}
 * @param message a sentence that describes the fault
 * @param place where the fault is
 * @param finding true if this is no fault: level STRICT would reject the batch but the run only
 *     observes, or a tiered storage may be in this state
 * @param skipped the bytes that the check skips
 * @param batch the header of the batch, or null if it is not known or the fault concerns no batch;
 *     see {@link #isHeaderVerified}
 */
public record Fault(
    String reason,
    String message,
    Place place,
    boolean finding,
    Skipped skipped,
    @Nullable StoredBatch batch)
    implements Serializable {
  public static final long UNKNOWN = Long.MIN_VALUE;

  /**
   * The place of a fault.
   *
   * @param position the file position of the batch; for a truncated tail, the size to truncate to
   * @param offset the base offset field of the batch, or {@link #UNKNOWN}
   * @param at the file position where the fault was found, or {@link #UNKNOWN}
   * @param recordIndex the index in the batch of the record at fault, or {@link #UNKNOWN}
   * @param failedRecords the number of records of the batch that failed, or 0; only some of them
   *     may have a {@code Fault}
   */
  public record Place(long position, long offset, long at, long recordIndex, int failedRecords)
      implements Serializable {
    /** Returns the place of a batch. */
    public static Place of(long position, long offset) {
      return new Place(position, offset, UNKNOWN, UNKNOWN, 0);
    }
  }

  /**
   * Bytes that the check skips.
   *
   * @param resumeAt the file position where the check resumes, or {@link #UNKNOWN}
   * @param bytes the number of bytes that are skipped from the position of the fault on, or 0
   * @param nextOffset the base offset of the batch at {@code resumeAt}, or {@link #UNKNOWN}
   */
  public record Skipped(long resumeAt, long bytes, long nextOffset) implements Serializable {
    /** No bytes. */
    public static final Skipped NONE = new Skipped(UNKNOWN, 0, UNKNOWN);
  }

  private static final String PAGE =
      "https://github.com/batchvalidator/batchvalidator/blob/main/docs/rules.md#";

  /** Returns the file position of the batch. */
  public long position() {
    return place.position();
  }

  /** Returns the base offset field of the batch, or {@link #UNKNOWN}. */
  public long offset() {
    return place.offset();
  }

  /** Returns the file position where the fault was found, or {@link #UNKNOWN}. */
  public long at() {
    return place.at();
  }

  /** Returns the index in the batch of the record at fault, or {@link #UNKNOWN}. */
  public long recordIndex() {
    return place.recordIndex();
  }

  /** Returns the number of records of the batch that failed, or 0. */
  public int failedRecords() {
    return place.failedRecords();
  }

  /** Returns the position where the check resumes, or {@link #UNKNOWN}. */
  public long resumeAt() {
    return skipped.resumeAt();
  }

  /** Returns the number of bytes that are skipped, or 0. */
  public long skippedBytes() {
    return skipped.bytes();
  }

  /** Returns the base offset of the batch at {@link #resumeAt}, or {@link #UNKNOWN}. */
  public long nextOffset() {
    return skipped.nextOffset();
  }

  /** Returns the address of the documentation of the reason. */
  public String page() {
    return page(reason);
  }

  /** Returns the address of the documentation of a reason. */
  public static String page(String reason) {
    return PAGE + reason.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the offset at which a consumer that stops at the fault can read on. Returns {@link
   * #UNKNOWN} if it is not known, or if consumers read the batch. If the header is not verified,
   * this offset is not either.
   */
  public long readableFrom() {
    return nextOffset() == UNKNOWN && batch != null && UnreadableBatch.isReason(reason)
        ? batch.lastOffset() + 1
        : nextOffset();
  }

  /** Returns false if the checksum of the batch is wrong, so that its header may be wrong, too. */
  public boolean isHeaderVerified() {
    return !reason.equals(Reason.BATCH_CRC_MISMATCH.name());
  }

  private static Fault of(String reason, String message, Place place) {
    return new Fault(reason, message, place, false, Skipped.NONE, null);
  }

  /** Returns a fault at a position of a file, which skips no bytes. */
  public static Fault of(AuditReason reason, long position, long offset, Object... operands) {
    return of(reason.name(), reason.describe(operands), Place.of(position, offset));
  }

  /** Returns a fault of a batch compared with others. */
  public static Fault of(AuditReason reason, StoredBatch batch, Object... operands) {
    return of(reason, batch.position(), batch.baseOffset(), operands).with(batch);
  }

  /** Returns this fault with the header of its batch. */
  public Fault with(@Nullable StoredBatch known) {
    return new Fault(reason, message, place, finding, skipped, known);
  }

  /** Returns this fault as a finding, which does not change the exit code. */
  public Fault asFinding() {
    return new Fault(reason, message, place, true, skipped, batch);
  }

  /**
   * Returns a fault of the segment that skips bytes.
   *
   * @param resumeAt the position of the next intact batch, or {@link #UNKNOWN} without one
   */
  public static Fault skipping(
      SegmentReason reason,
      String why,
      long position,
      long offset,
      long resumeAt,
      long skippedBytes) {
    String message = reason.describe(why, resumeAt == UNKNOWN ? position : resumeAt, skippedBytes);
    Skipped skipped = new Skipped(resumeAt, skippedBytes, UNKNOWN);
    return new Fault(reason.name(), message, Place.of(position, offset), false, skipped, null);
  }

  /** Returns this fault with the base offset of the batch at {@code resumeAt}. */
  public Fault followedBy(long next) {
    Skipped followed = new Skipped(skipped.resumeAt(), skipped.bytes(), next);
    return new Fault(reason, message, place, finding, followed, batch);
  }

  /** Returns the fault that decided a verdict. */
  public static Fault of(Verdict verdict, long position, long offset) {
    long index = verdict.recordIndex() == Verdict.NO_RECORD ? UNKNOWN : verdict.recordIndex();
    Place place = new Place(position, offset, position + verdict.position(), index, 0);
    return of(String.valueOf(verdict.reason()), verdict.describe(), place);
  }

  /** Returns the fault of the i-th failed record that a verdict remembers. */
  public static Fault ofRecord(Verdict verdict, int i, long position, long offset) {
    long before = verdict.failurePlainPosition(i) - verdict.plainPosition();
    long fromDeciding = verdict.codec() == Codec.NONE ? before : 0;
    long at = position + verdict.position() + fromDeciding;
    Place place = new Place(position, offset, at, verdict.failureIndex(i), verdict.failureTotal());
    return of(verdict.failureReason(i).name(), verdict.describeFailure(i), place);
  }

  /** Returns the i-th finding of a verdict, as a finding or as a fault. */
  public static Fault ofFinding(
      Findings found, int i, boolean finding, long position, long offset) {
    boolean ofRecord = found.recordIndex(i) != Verdict.NO_RECORD;
    Place place =
        new Place(
            position,
            offset,
            position + found.position(i),
            ofRecord ? found.recordIndex(i) : UNKNOWN,
            ofRecord ? (int) found.total(i) : 0);
    Fault fault = of(found.reason(i).name(), found.describe(i), place);
    return finding ? fault.asFinding() : fault;
  }
}
