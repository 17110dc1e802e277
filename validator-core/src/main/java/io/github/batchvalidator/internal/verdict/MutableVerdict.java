// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.verdict;

import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The verdict that an inspection fills, and the only implementation of {@link Verdict}. */
public final class MutableVerdict implements Verdict {
  private static final long NO_POSITION = -1;
  private static final int NO_CODEC = -1;

  private final Fault fault = new Fault();
  private int position;
  private long plainPosition;
  private int recordIndex;
  private boolean atEnd;

  private String section = Policy.DEFAULT_SECTION;
  private int batchBytes;
  private int codecId; // an id, because a reference costs more to write
  private int recordCount;
  private long plainBytes;
  private long maxTimestamp;
  private TimestampType timestampType = TimestampType.CREATE_TIME;
  private boolean control;
  private byte magic;
  private long declaredBytes;
  private @Nullable RebuildCause rebuildCause;

  private boolean decidedByRecords;
  private boolean concluded;

  private FailedRecords failed;
  private final TopicViolations topic;
  private final MutableFindings findings = new MutableFindings();
  private final BatchSeal seal = new BatchSeal();

  /** Creates a verdict that remembers {@value #DEFAULT_RECORD_FAILURES} failing records. */
  public MutableVerdict() {
    this(DEFAULT_RECORD_FAILURES);
  }

  /**
   * Creates a verdict.
   *
   * @param recordFailures how many failing records it remembers, at least 0; memory for more than a
   *     few is allocated when they are found
   */
  public MutableVerdict(int recordFailures) {
    failed = new FailedRecords(recordFailures);
    topic = new TopicViolations(recordFailures);
    reset(Policy.CLIENT);
  }

  /**
   * Returns the writable form of a verdict.
   *
   * @param verdict created by this library
   * @return the same object
   * @throws IllegalArgumentException if a host has implemented the interface
   */
  public static MutableVerdict of(Verdict verdict) {
    if (Objects.requireNonNull(verdict, "verdict") instanceof MutableVerdict mutable) {
      return mutable;
    }
    throw new IllegalArgumentException("not a verdict of BatchValidator.newVerdict()");
  }

  /** Clears the verdict for an inspection by a policy. Every inspection does this first. */
  public void reset(Policy policy) {
    if (!section.equals(policy.section())) { // a reference costs more to write than to compare
      section = policy.section();
    }
    forgetRecords();
    batchBytes = 0;
    codecId = NO_CODEC;
    recordCount = 0;
    plainBytes = 0;
    maxTimestamp = -1;
    control = false;
    magic = 0;
    declaredBytes = 0;
    rebuildCause = null;
    concluded = false;
    findings.reset();
    seal.clear();
  }

  @Override
  public long heapBytes() {
    return failed.heapBytes() + topic.heapBytes();
  }

  @Override
  public String section() {
    return section;
  }

  @Override
  public boolean accepted() {
    return !fault.isSet() && concluded;
  }

  @Override
  public @Nullable Reason reason() {
    return fault.reason();
  }

  @Override
  public long firstOperand() {
    return fault.first();
  }

  @Override
  public long secondOperand() {
    return fault.second();
  }

  @Override
  public @Nullable Throwable cause() {
    return fault.cause();
  }

  @Override
  public int position() {
    return position;
  }

  @Override
  public long plainPosition() {
    return plainPosition;
  }

  @Override
  public int recordIndex() {
    return recordIndex;
  }

  @Override
  public int batchBytes() {
    return batchBytes;
  }

  @Override
  public @Nullable Codec codec() {
    return codecId == NO_CODEC ? null : Codec.byId(codecId);
  }

  @Override
  public int recordCount() {
    return recordCount;
  }

  @Override
  public long plainBytes() {
    return plainBytes;
  }

  @Override
  public long declaredBytes() {
    return declaredBytes;
  }

  @Override
  public byte magic() {
    return magic;
  }

  @Override
  public boolean needsRebuild() {
    return rebuildCause != null;
  }

  @Override
  public @Nullable RebuildCause rebuildCause() {
    return rebuildCause;
  }

  @Override
  public boolean control() {
    return control;
  }

  @Override
  public long maxTimestamp() {
    return maxTimestamp;
  }

  @Override
  public @Nullable TimestampType timestampType() {
    return codecId == NO_CODEC ? null : timestampType;
  }

  @Override
  public boolean decidedByRecords() {
    return decidedByRecords;
  }

  @Override
  public int failureTotal() {
    return failed.total();
  }

  @Override
  public int failureCount() {
    return failed.count();
  }

  @Override
  public Reason failureReason(int i) {
    return failed.reason(i);
  }

  @Override
  public int failureIndex(int i) {
    return failed.index(i);
  }

  @Override
  public long failurePlainPosition(int i) {
    return failed.plainPosition(i);
  }

  @Override
  public String describeFailure(int i) {
    return failed.describe(i);
  }

  /** {@return the remembered failing records, with all that is known about them} */
  public FailedRecords failures() {
    return failed;
  }

  /** {@return true if the fault was found after the last declared record} */
  public boolean atEnd() {
    return atEnd;
  }

  @Override
  public MutableFindings findings() {
    return findings;
  }

  @Override
  public String describe() {
    Reason reason = fault.reason();
    if (reason != null) {
      return reason.describe(fault.first(), fault.second());
    }
    if (!concluded) {
      return "not inspected to the end";
    }
    return rebuildCause == null ? "accepted" : "accepted, needs a rebuild: " + rebuildCause;
  }

  @Override
  public String toString() {
    Reason reason = fault.reason();
    return reason == null ? describe() : reason + " at byte " + position + ": " + describe();
  }

  // The methods below are for inspections, not for readers.

  /**
   * Refuses the batch for a fault, which ends the inspection. A fault that makes the payload
   * unreadable outweighs earlier record failures, as in Kafka; the failures are kept.
   *
   * @param why the reason
   * @param at position in bytes from the start of the batch
   * @param a first operand
   * @param b second operand
   * @return false, so that a rule can end with it
   */
  public boolean refuse(Reason why, int at, long a, long b) {
    fault.set(why, a, b);
    return refused(at);
  }

  /**
   * Refuses the batch for a fault that was found elsewhere.
   *
   * @param found the fault
   * @param at position in bytes from the start of the batch
   * @return false, so that a rule can end with it
   */
  public boolean refuse(Fault found, int at) {
    fault.copy(found);
    return refused(at);
  }

  private boolean refused(int at) {
    position = at;
    plainPosition = NO_POSITION;
    recordIndex = NO_RECORD;
    atEnd = false;
    decidedByRecords = false;
    return false;
  }

  /** Forgets the checks of records and their result, so that they can be checked again. */
  public void forgetRecords() {
    fault.clear();
    refused(0);
    failed.reset();
    topic.reset();
  }

  /** Forgets all failing records, for faults that Kafka finds before it checks the first record. */
  public void forgetFailures() {
    failed.reset();
  }

  /** Forgets a failure of the last record read, because Kafka first looks for more bytes. */
  public void forgetFailure(int lastIndex) {
    failed.forget(lastIndex);
  }

  /** Adds the record to a refusal, with its start in plain bytes from the first record. */
  public void locate(int index, long plainAt) {
    recordIndex = index;
    plainPosition = plainAt;
  }

  /** Adds to a refusal whether the fault was found after the last record. */
  public void atEnd(boolean isAtEnd) {
    atEnd = isAtEnd;
  }

  /**
   * Adds the failure of a single record; the inspection continues.
   *
   * @param why the reason
   * @param index of the record in the batch
   * @param plainAt start of the record, in plain bytes
   * @param a first operand
   * @param b second operand
   */
  public void fail(Reason why, int index, long plainAt, long a, long b) {
    failed.add(why, index, plainAt, a, b);
    Reason decided = fault.reason();
    if (decided == null || outweighs(why, decided)) {
      fault.set(why, a, b);
      recordIndex = index;
      plainPosition = plainAt;
      decidedByRecords = true;
    }
  }

  private static boolean outweighs(Reason next, Reason earlier) {
    return next.answer() == Reason.Answer.INVALID_TIMESTAMP
        && earlier.answer() != Reason.Answer.INVALID_TIMESTAMP;
  }

  /** {@return the violations of the topic's rules, which count only if Kafka accepts} */
  public TopicViolations topic() {
    return topic;
  }

  /** {@return true if the batch stays accepted} Otherwise, the topic's rules may refuse it. */
  public boolean enforceTopic() {
    if (fault.isSet() || !topic.fault().isSet()) {
      return !fault.isSet();
    }
    refuse(topic.fault(), 0);
    if (topic.index() != NO_RECORD) {
      failed = topic.exchange(failed);
      locate(topic.index(), topic.plainPosition());
      decidedByRecords = true;
    }
    return false;
  }

  /** Sets the position of the deciding record failure, in bytes from the start of the batch. */
  public void position(int at) {
    position = at;
  }

  /** Marks the inspection as complete. Otherwise an inspection that threw would look accepted. */
  public void conclude() {
    concluded = true;
  }

  /** Ties the verdict to the batch at the buffer's position, which can be stored in place. */
  public void seal(ByteBuffer buffer) {
    seal.take(buffer, batchBytes, magic, recordCount, maxTimestamp);
  }

  /**
   * Ties the verdict to a rebuilt batch.
   *
   * @param rebuilt the batch or messages, between position and limit
   * @param rebuiltMagic 0 to 2
   * @param count the number of records
   * @param onlyOffset the only possible first offset, or -1 if any is possible
   */
  public void sealRebuilt(ByteBuffer rebuilt, byte rebuiltMagic, int count, long onlyOffset) {
    seal.takeRebuilt(rebuilt, rebuiltMagic, count, onlyOffset);
  }

  /** {@return the batch that may be stamped, or null} */
  public @Nullable BatchSeal seal() {
    return accepted() && seal.isTaken() ? seal : null;
  }

  /** Sets what the framing declares: the size with the prefix, and the magic. */
  public void batch(int bytes, byte batchMagic) {
    batchBytes = bytes;
    magic = batchMagic;
    codecId = NO_CODEC;
  }

  /** Sets what the header declares, and the timestamp type that the topic stores. */
  public void header(Codec usedCodec, boolean isControl, TimestampType type) {
    codecId = usedCodec.id();
    control = isControl;
    if (timestampType != type) {
      timestampType = type;
    }
  }

  /** Sets how many records and plain bytes were read, and the largest timestamp, at least -1. */
  public void records(int count, long bytes, long largestTimestamp) {
    recordCount = count;
    plainBytes = bytes;
    maxTimestamp = largestTimestamp;
  }

  public void declared(long bytes) {
    declaredBytes = bytes;
  }

  /** Sets why the batch cannot be stored in place. */
  public void rebuild(RebuildCause why) {
    rebuildCause = why;
  }
}
