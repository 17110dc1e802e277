// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.verdict;

import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The faults, violations and totals that a walk over the records of a batch has found so far. Part
 * of a {@link MutableVerdict}, which has what is known without reading a record: header, codec, and
 * the faults and violations of the batch itself.
 *
 * <p>A walk may start again in another form, any number of times. {@link #restart} forgets this
 * object and nothing else, so a walk cannot erase what the batch has shown. {@link MutableFindings}
 * are not part of it: walks that add findings never start again.
 *
 * <p>Reused for every batch. Confined to one thread.
 */
public final class WalkResult {
  private final Refusal refusal = new Refusal();
  private final TopicViolations violations;
  private FailedRecords failed;

  private int recordCount;
  private long plainBytes;
  private long maxTimestamp;
  private long declaredBytes;

  WalkResult(int recordFailures) {
    failed = new FailedRecords(recordFailures);
    violations = new TopicViolations(recordFailures);
  }

  /** Forgets the records, so that they can be walked again from the first one. */
  public void restart() {
    refusal.clear();
    failed.reset();
    violations.reset();
    recordCount = 0;
    plainBytes = 0;
    maxTimestamp = -1;
    declaredBytes = 0;
  }

  long heapBytes() {
    return failed.heapBytes() + violations.heapBytes();
  }

  Refusal refusal() {
    return refusal;
  }

  int recordCount() {
    return recordCount;
  }

  long plainBytes() {
    return plainBytes;
  }

  long maxTimestamp() {
    return maxTimestamp;
  }

  long declaredBytes() {
    return declaredBytes;
  }

  /** {@return the remembered failing records, with all that is known about them} */
  public FailedRecords failures() {
    return failed;
  }

  /** {@return the violations of the topic's rules by records, which count only if Kafka accepts} */
  public TopicViolations violations() {
    return violations;
  }

  /**
   * Refuses the batch for a fault that ends the walk. A fault that makes the payload unreadable
   * outweighs earlier record failures, as in Kafka; the failures are kept.
   *
   * @param why the reason
   * @param at position in bytes from the start of the batch
   * @param a first operand
   * @param b second operand
   * @return false, so that a rule can end with it
   */
  public boolean refuse(Reason why, int at, long a, long b) {
    return refusal.set(why, at, a, b);
  }

  /**
   * Refuses the batch as {@link #refuse(Reason, int, long, long)} does, with an exception.
   *
   * @param why the reason
   * @param at position in bytes from the start of the batch
   * @param a first operand
   * @param b second operand
   * @param cause the exception that led to the fault, or null
   * @return false, so that a rule can end with it
   */
  public boolean refuse(Reason why, int at, long a, long b, @Nullable Throwable cause) {
    return refusal.set(why, at, a, b, cause);
  }

  /**
   * Adds to a refusal where its fault was found.
   *
   * @param isAtEnd true if after the last record
   */
  public void atEnd(boolean isAtEnd) {
    refusal.atEnd(isAtEnd);
  }

  /**
   * Adds the failure of a single record; the walk continues.
   *
   * @param why the reason
   * @param index of the record in the batch
   * @param plainAt start of the record, in plain bytes
   * @param a first operand
   * @param b second operand
   */
  public void fail(Reason why, int index, long plainAt, long a, long b) {
    failed.add(why, index, plainAt, a, b);
    Reason decided = refusal.fault().reason();
    if (decided == null || outweighs(why, decided)) {
      refusal.byRecord(why, index, plainAt, a, b);
    }
  }

  private static boolean outweighs(Reason next, Reason earlier) {
    return next.answer() == Reason.Answer.INVALID_TIMESTAMP
        && earlier.answer() != Reason.Answer.INVALID_TIMESTAMP;
  }

  /** Forgets all failing records, for faults that Kafka finds before it checks the first record. */
  public void forgetFailures() {
    failed.reset();
  }

  /**
   * Forgets a failure of the last record read, because Kafka first looks for more bytes.
   *
   * @param lastIndex of that record in the batch
   */
  public void forgetFailure(int lastIndex) {
    failed.forget(lastIndex);
  }

  /**
   * Sets what was read.
   *
   * @param count the number of records
   * @param bytes the number of plain bytes
   * @param largestTimestamp at least -1
   */
  public void records(int count, long bytes, long largestTimestamp) {
    recordCount = count;
    plainBytes = bytes;
    maxTimestamp = largestTimestamp;
  }

  /**
   * Sets the sum of the sizes that the records declare.
   *
   * @param bytes the sum
   */
  public void declared(long bytes) {
    declaredBytes = bytes;
  }

  /** {@return true if no record violates a rule of the topic} Otherwise, the first one refuses. */
  boolean enforceTopic() {
    Fault first = violations.fault();
    Reason why = first.reason();
    if (why == null) {
      return true;
    }
    failed = violations.exchange(failed);
    refusal.byRecord(
        why, violations.index(), violations.plainPosition(), first.first(), first.second());
    return false;
  }
}
