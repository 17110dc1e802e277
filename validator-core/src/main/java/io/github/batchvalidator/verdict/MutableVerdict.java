// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.verdict;

import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The verdict that an inspection fills, and the only implementation of {@link Verdict}. It has what
 * the batch itself has shown; its {@link #walk()} has what a walk over the records has shown. A
 * fault of the batch as a whole outweighs one that the walk has found.
 */
public final class MutableVerdict implements Verdict {
  private static final int NO_CODEC = -1;

  private final Refusal refusal = new Refusal();
  private final Fault violation = new Fault();
  private String section = Policy.DEFAULT_SECTION;
  private TopicRules topicRules = TopicRules.NONE;
  private int batchBytes;
  private int codecId; // an id, because a reference costs more to write
  private TimestampType timestampType = TimestampType.CREATE_TIME;
  private boolean control;
  private byte magic;
  private @Nullable RebuildCause rebuildCause;
  private boolean rebuilt;
  private boolean concluded;

  private final WalkResult walk;
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
    walk = new WalkResult(recordFailures);
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

  /**
   * Clears the verdict for an inspection. Every inspection does this first.
   *
   * @param policy the policy of the inspection
   */
  @SuppressWarnings("ReferenceEquality") // equal rules have equal texts
  public void reset(Policy policy) {
    if (!section.equals(policy.section())) { // a reference costs more to write than to compare
      section = policy.section();
    }
    if (topicRules != policy.topicRules()) {
      topicRules = policy.topicRules();
      findings.topicRules(topicRules);
    }
    refusal.clear();
    violation.clear();
    walk.restart();
    batchBytes = 0;
    codecId = NO_CODEC;
    control = false;
    magic = 0;
    rebuildCause = null;
    rebuilt = false;
    concluded = false;
    findings.reset();
    seal.clear();
  }

  @Override
  public long heapBytes() {
    return walk.heapBytes();
  }

  @Override
  public String section() {
    return section;
  }

  @Override
  public boolean accepted() {
    return reason() == null && concluded;
  }

  @Override
  public @Nullable Reason reason() {
    return deciding().fault().reason();
  }

  @Override
  public long firstOperand() {
    return deciding().fault().first();
  }

  @Override
  public long secondOperand() {
    return deciding().fault().second();
  }

  @Override
  public @Nullable Throwable cause() {
    return deciding().fault().cause();
  }

  @Override
  public int position() {
    return deciding().position();
  }

  @Override
  public long plainPosition() {
    return deciding().plainPosition();
  }

  @Override
  public int recordIndex() {
    return deciding().recordIndex();
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
    return walk.recordCount();
  }

  @Override
  public long plainBytes() {
    return walk.plainBytes();
  }

  @Override
  public long declaredBytes() {
    return walk.declaredBytes();
  }

  @Override
  public byte magic() {
    return magic;
  }

  @Override
  public boolean needsRebuild() {
    return rebuildCause != null && !rebuilt;
  }

  @Override
  public boolean rebuilt() {
    return rebuilt;
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
    return walk.maxTimestamp();
  }

  @Override
  public @Nullable TimestampType timestampType() {
    return codecId == NO_CODEC ? null : timestampType;
  }

  @Override
  public boolean decidedByRecords() {
    return deciding().byRecords();
  }

  @Override
  public int failureTotal() {
    return walk.failures().total();
  }

  @Override
  public int failureCount() {
    return walk.failures().count();
  }

  @Override
  public Reason failureReason(int i) {
    return walk.failures().reason(i);
  }

  @Override
  public int failureIndex(int i) {
    return walk.failures().index(i);
  }

  @Override
  public long failurePlainPosition(int i) {
    return walk.failures().plainPosition(i);
  }

  @Override
  public String describeFailure(int i) {
    FailedRecords failed = walk.failures();
    return ReasonText.of(failed.reason(i), failed.first(i), failed.second(i), topicRules);
  }

  /** {@return the remembered failing records, with all that is known about them} */
  public FailedRecords failures() {
    return walk.failures();
  }

  /** {@return true if the fault was found after the last declared record} */
  public boolean atEnd() {
    return deciding().atEnd();
  }

  @Override
  public MutableFindings findings() {
    return findings;
  }

  @Override
  public String describe() {
    Reason reason = reason();
    if (reason != null) {
      return ReasonText.of(reason, firstOperand(), secondOperand(), topicRules);
    }
    if (!concluded) {
      return "not inspected to the end";
    }
    if (rebuildCause == null) {
      return "accepted";
    }
    return (rebuilt ? "accepted, rebuilt: " : "accepted, needs a rebuild: ") + rebuildCause;
  }

  @Override
  public String toString() {
    Reason reason = reason();
    return reason == null ? describe() : reason + " at byte " + position() + ": " + describe();
  }

  // The methods below are for inspections, not for readers.

  /** {@return what the walk over the records has shown} */
  public WalkResult walk() {
    return walk;
  }

  /** {@return the refusal by the batch as a whole, or else that by the walk, set or not} */
  private Refusal deciding() {
    return refusal.isSet() ? refusal : walk.refusal();
  }

  /**
   * Refuses the batch for a fault of the batch as a whole, which ends the inspection.
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
   * Adds the record to a refusal.
   *
   * @param index of the record in the batch
   * @param plainAt start of the record, in plain bytes from the first record
   */
  public void locate(int index, long plainAt) {
    deciding().locate(index, plainAt);
  }

  /**
   * Adds a violation of the topic's rules by the batch as a whole, if it is the first. It outweighs
   * those of records, and like them counts only if Kafka accepts.
   *
   * @param why the reason
   * @param a first operand
   * @return false, so that a rule can end with it
   */
  public boolean violate(Reason why, long a) {
    return !violation.isSet() && violation.set(why, a, 0);
  }

  /** {@return true if the batch stays accepted} Otherwise, the topic's rules may refuse it. */
  public boolean enforceTopic() {
    if (reason() != null) {
      return false;
    }
    return violation.isSet() ? refusal.set(violation, 0) : walk.enforceTopic();
  }

  /**
   * Sets the position of the deciding record failure.
   *
   * @param at in bytes from the start of the batch
   */
  public void position(int at) {
    deciding().position(at);
  }

  /** Marks the inspection as complete. Otherwise an inspection that threw would look accepted. */
  public void conclude() {
    concluded = true;
  }

  /**
   * Ties the verdict to a batch that can be stored in place.
   *
   * @param buffer contains the batch at its position
   */
  public void seal(ByteBuffer buffer) {
    sealUnbound();
    seal.takeFields(buffer);
  }

  /** As {@link #seal(ByteBuffer)}, for a caller that itself knows which batch it inspected. */
  public void sealUnbound() {
    seal.take(batchBytes, magic, recordCount(), maxTimestamp());
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

  /**
   * Sets what the framing declares.
   *
   * @param bytes the size with the prefix
   * @param batchMagic the magic
   */
  public void batch(int bytes, byte batchMagic) {
    batchBytes = bytes;
    magic = batchMagic;
    codecId = NO_CODEC;
  }

  /**
   * Sets what the header declares, and what the topic stores.
   *
   * @param usedCodec the codec of the batch
   * @param isControl true for a control batch
   * @param type the timestamp type that the topic stores
   */
  public void header(Codec usedCodec, boolean isControl, TimestampType type) {
    codecId = usedCodec.id();
    control = isControl;
    if (timestampType != type) {
      timestampType = type;
    }
  }

  /**
   * Sets why the batch cannot be stored in place.
   *
   * @param why the cause of the rebuild
   */
  public void rebuild(RebuildCause why) {
    rebuildCause = why;
  }

  /**
   * Sets why the batch was rebuilt.
   *
   * @param why the cause of the rebuild
   */
  public void rebuilt(RebuildCause why) {
    rebuildCause = why;
    rebuilt = true;
  }
}
