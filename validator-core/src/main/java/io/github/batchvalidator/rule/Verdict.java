// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one inspection. Owned by the caller, reused for the next batch, confined to one
 * thread; allocates only when created, when asked for text, and when more records fail than ever
 * before.
 *
 * <p>After an accepted batch it holds what {@code OffsetStamp} needs. After a refused one it holds
 * the reason, where it was found and the numbers that explain it; where single records are at
 * fault, a capped list of them and their total.
 */
public final class Verdict {
  /** How many failing records a verdict remembers unless told otherwise. */
  public static final int DEFAULT_RECORD_FAILURES = 16;

  /** The index of a fault that is not that of one record. */
  public static final int NO_RECORD = -1;

  private static final long NO_POSITION = -1;
  private static final int NO_CODEC = -1;

  private @Nullable Reason reason;
  private long first;
  private long second;
  private @Nullable Throwable cause;
  private int position;
  private long plainPosition;
  private int recordIndex;

  private int batchBytes;
  private int codecId; // a number: a reference costs more to write
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

  private final FailedRecords failed;
  private final Findings findings = new Findings();

  /** Creates a verdict that remembers {@value #DEFAULT_RECORD_FAILURES} failing records. */
  public Verdict() {
    this(DEFAULT_RECORD_FAILURES);
  }

  /**
   * Creates a verdict.
   *
   * @param recordFailures how many failing records it remembers, at least 0; room for more than a
   *     few is made when they are found
   */
  public Verdict(int recordFailures) {
    failed = new FailedRecords(recordFailures);
    reset();
  }

  /** Forgets everything, as every inspection does first. */
  public void reset() {
    reason = null;
    first = 0;
    second = 0;
    cause = null;
    position = 0;
    plainPosition = NO_POSITION;
    recordIndex = NO_RECORD;
    batchBytes = 0;
    codecId = NO_CODEC;
    recordCount = 0;
    plainBytes = 0;
    maxTimestamp = -1;
    control = false;
    magic = 0;
    declaredBytes = 0;
    rebuildCause = null;
    failed.reset();
    decidedByRecords = false;
    concluded = false;
    findings.reset();
  }

  /** {@return the heap bytes held for the list of failing records, which never shrinks} */
  public long heapBytes() {
    return failed.heapBytes();
  }

  /** {@return true if the batch was inspected to the end and nothing was found} */
  public boolean accepted() {
    return reason == null && concluded;
  }

  /**
   * {@return why the batch was refused, or null if it was not} Where several records failed, the
   * first one whose answer is {@link Reason.Answer#INVALID_TIMESTAMP}, else the first one: that is
   * the one that decides Kafka's answer.
   */
  public @Nullable Reason reason() {
    return reason;
  }

  /** {@return the first number of the reason's sentence, 0 if it has none} */
  public long firstOperand() {
    return first;
  }

  /** {@return the second number of the reason's sentence, 0 if it has none} */
  public long secondOperand() {
    return second;
  }

  /**
   * {@return the exception or error of a codec library that led to the refusal, or null} It is
   * meant for logs: its message and class are the library's and may change with its version.
   */
  public @Nullable Throwable cause() {
    return cause;
  }

  /**
   * {@return where the fault was found, in bytes from the start of the batch; if a compressed
   * payload cannot be read as far as the codec had read, and its start if a record in it fails} A
   * fault of the batch as a whole has 0.
   */
  public int position() {
    return position;
  }

  /** {@return where in the plain record bytes the fault was found, or -1 if it was not there} */
  public long plainPosition() {
    return plainPosition;
  }

  /** {@return the index in the batch of the record at fault, or {@link #NO_RECORD}} */
  public int recordIndex() {
    return recordIndex;
  }

  /** {@return the size of the batch in bytes, prefix included; 0 if its framing was refused} */
  public int batchBytes() {
    return batchBytes;
  }

  /** {@return the batch's codec, or null if the header was refused before it was read} */
  public @Nullable Codec codec() {
    return codecId == NO_CODEC ? null : Codec.byId(codecId);
  }

  /**
   * {@return how many records were looked at, one that could not be read included} Of several
   * messages that were rebuilt together this, the bytes and the maximum timestamp are those of all;
   * if one of them is refused, its own.
   */
  public int recordCount() {
    return recordCount;
  }

  /** {@return how many plain bytes were read: all of them unless a fault ended the walk} */
  public long plainBytes() {
    return plainBytes;
  }

  /**
   * {@return the sum over all records of the body that each declares and of the number that says so
   * in its shortest form, as Kafka counts it; of magic 0 and 1 the sizes of the messages} Of a
   * compressed batch it is what the producer claims: it may be anything, and negative.
   */
  public long declaredBytes() {
    return declaredBytes;
  }

  /** {@return the magic of the batch, 0 if its framing was refused} */
  public byte magic() {
    return magic;
  }

  /**
   * {@return true if the batch, once accepted, cannot be stored as it is, or was rebuilt} An
   * inspection knows neither the topic's codec nor whether uncompressed records leave gaps between
   * their offsets, which only matters where they are compressed: a host compares these itself.
   */
  public boolean needsRebuild() {
    return rebuildCause != null;
  }

  /** {@return why it cannot, or null if it can} */
  public @Nullable RebuildCause rebuildCause() {
    return rebuildCause;
  }

  /** {@return true if the batch is a control batch; false if its header was refused} */
  public boolean control() {
    return control;
  }

  /** {@return the largest timestamp of the records in milliseconds since the epoch, or -1} */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /** {@return the timestamp type of the topic, or null if the header was not accepted} */
  public @Nullable TimestampType timestampType() {
    return codecId == NO_CODEC ? null : timestampType;
  }

  /**
   * {@return true if the batch is refused for its failing records, false if it is accepted or if a
   * fault of the batch or of its payload outweighs them} In the latter case the failing records
   * found until then are still there: Kafka has counted them in its metrics.
   */
  public boolean decidedByRecords() {
    return decidedByRecords;
  }

  /** {@return how many records failed a rule of their own; may exceed what is remembered} */
  public int failureTotal() {
    return failed.total();
  }

  /** {@return how many failing records are remembered, in the order of their indexes} */
  public int failureCount() {
    return failed.count();
  }

  /**
   * {@return why the i-th remembered record failed}
   *
   * @param i 0 to {@link #failureCount()} - 1
   */
  public Reason failureReason(int i) {
    return failed.reason(i);
  }

  /**
   * {@return the index in the batch of the i-th remembered failing record}
   *
   * @param i 0 to {@link #failureCount()} - 1
   */
  public int failureIndex(int i) {
    return failed.index(i);
  }

  /**
   * {@return where the i-th remembered failing record starts, in plain bytes}
   *
   * @param i 0 to {@link #failureCount()} - 1
   */
  public long failurePlainPosition(int i) {
    return failed.plainPosition(i);
  }

  /**
   * Says in a sentence why the i-th remembered record failed. Allocates.
   *
   * @param i 0 to {@link #failureCount()} - 1
   * @return the sentence
   */
  public String describeFailure(int i) {
    return failed.describe(i);
  }

  /** {@return the sentences of all remembered failures; equal neighbors share one} Allocates. */
  public List<String> describeFailures() {
    return failed.describe();
  }

  /**
   * {@return what was found beyond level KAFKA, empty unless the policy {@linkplain
   * Policy#looksStrictly looks for it}} The same object always, valid as the verdict is.
   */
  public Findings findings() {
    return findings;
  }

  /** {@return a sentence that says what was found} Allocates. */
  public String describe() {
    if (reason != null) {
      return reason.describe(first, second);
    }
    if (!concluded) {
      return "not inspected to the end";
    }
    return rebuildCause == null ? "accepted" : "accepted, to be written anew: " + rebuildCause;
  }

  @Override
  public String toString() {
    return reason == null ? describe() : reason + " at byte " + position + ": " + describe();
  }

  // What follows is for the inspection that fills the verdict, not for its reader.

  /**
   * Notes a fault of the whole batch, which ends the inspection. A fault that makes the payload
   * unreadable outweighs the record failures collected before it, as in Kafka; they are kept.
   *
   * @param why the reason
   * @param at bytes from the start of the batch
   * @param a first operand
   * @param b second operand
   * @return false, so that a rule can end with it
   */
  public boolean refuse(Reason why, int at, long a, long b) {
    reason = why;
    position = at;
    first = a;
    second = b;
    cause = null;
    plainPosition = NO_POSITION;
    recordIndex = NO_RECORD;
    decidedByRecords = false;
    return false;
  }

  /**
   * Adds to a refusal what a codec library threw.
   *
   * @param thrown the exception or null
   */
  public void cause(@Nullable Throwable thrown) {
    cause = thrown;
  }

  /** Forgets the failing records: the payload of magic 0 and 1 is parsed before any is checked. */
  public void forgetFailures() {
    failed.reset();
  }

  /**
   * Forgets the last failing record if it is the last one read: Kafka looks at what lies behind the
   * last record before it checks that one.
   *
   * @param lastIndex of the record that was read last
   */
  public void forgetFailure(int lastIndex) {
    failed.forget(lastIndex);
  }

  /**
   * Adds to a refusal where in the plain bytes it was found, and in which record.
   *
   * @param index of the record in the batch
   * @param plainAt bytes from the first record
   */
  public void locate(int index, long plainAt) {
    recordIndex = index;
    plainPosition = plainAt;
  }

  /**
   * Notes that one record failed a rule of its own; the inspection goes on.
   *
   * @param why the reason
   * @param index of the record in the batch
   * @param plainAt where the record starts, in plain bytes
   * @param a first operand
   * @param b second operand
   */
  public void fail(Reason why, int index, long plainAt, long a, long b) {
    failed.add(why, index, plainAt, a, b);
    if (reason == null || why.outweighs(reason)) {
      reason = why;
      first = a;
      second = b;
      recordIndex = index;
      plainPosition = plainAt;
      decidedByRecords = true;
    }
  }

  /**
   * Notes where in the batch the deciding record failure lies.
   *
   * @param at bytes from the start of the batch
   */
  public void position(int at) {
    position = at;
  }

  /** Notes that the inspection came to its end: what throws on the way has accepted nothing. */
  public void conclude() {
    concluded = true;
  }

  /**
   * Notes what the framing says.
   *
   * @param bytes the size of the batch, prefix included
   * @param batchMagic 0 to 2
   */
  public void batch(int bytes, byte batchMagic) {
    batchBytes = bytes;
    magic = batchMagic;
  }

  /**
   * Notes what the header says and what the topic wants.
   *
   * @param usedCodec the batch's codec
   * @param isControl true for a control batch
   * @param type what the topic stores
   */
  public void header(Codec usedCodec, boolean isControl, TimestampType type) {
    codecId = usedCodec.id();
    control = isControl;
    if (timestampType != type) { // a reference costs more to write
      timestampType = type;
    }
  }

  /**
   * Notes what the walk over the records found.
   *
   * @param count how many were read
   * @param bytes plain bytes that were read
   * @param largestTimestamp of the records, at least -1
   */
  public void records(int count, long bytes, long largestTimestamp) {
    recordCount = count;
    plainBytes = bytes;
    maxTimestamp = largestTimestamp;
  }

  /**
   * Notes what the records declare.
   *
   * @param bytes as {@link #declaredBytes()}
   */
  public void declared(long bytes) {
    declaredBytes = bytes;
  }

  /**
   * Notes that the batch cannot be stored as it is.
   *
   * @param why the cause
   */
  public void rebuild(RebuildCause why) {
    rebuildCause = why;
  }
}
