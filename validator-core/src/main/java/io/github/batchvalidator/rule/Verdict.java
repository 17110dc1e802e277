// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import org.jspecify.annotations.Nullable;

/**
 * The read-only result of one inspection.
 *
 * <p>A verdict of an accepted batch holds what {@code OffsetStamp} needs. A verdict of a rejected
 * batch holds the reason, its position and the numbers that explain it. If single records are at
 * fault, it holds a capped list of them and their total.
 *
 * <p>Hosts create a verdict with {@code BatchValidator.newVerdict()} and own it. Each inspection
 * resets and fills it. Only one thread at a time may use a verdict. It allocates only when it is
 * created, when asked for text, and when more records fail than ever before.
 *
 * <p>Not for implementation by hosts: an inspection accepts only verdicts of this library.
 */
public interface Verdict {
  /** The number of failing records that a verdict remembers by default. */
  int DEFAULT_RECORD_FAILURES = 16;

  /** The record index of a fault that does not belong to a single record. */
  int NO_RECORD = -1;

  /** {@return the heap bytes held for the list of failing records, which never shrinks} */
  long heapBytes();

  /** {@return the section of the policy of the inspection, see {@link Policy#section()}} */
  String section();

  /** {@return true if the batch was inspected to the end without a fault} */
  boolean accepted();

  /**
   * {@return why the batch was refused; null if it was not, or if nothing was inspected yet} If
   * several records failed, the reason is that of the record that decides Kafka's answer: the first
   * one with {@link Reason.Answer#INVALID_TIMESTAMP}, otherwise the first one.
   */
  @Nullable Reason reason();

  /** {@return the first number of the reason's sentence, 0 if it has none} */
  long firstOperand();

  /** {@return the second number of the reason's sentence, 0 if it has none} */
  long secondOperand();

  /**
   * {@return the exception or error of a codec library that led to the refusal, or null} Use it for
   * logs only: its class and message may change with the version of the library.
   */
  @Nullable Throwable cause();

  /**
   * {@return the position of the fault, in bytes from the start of the batch; 0 for a fault of the
   * whole batch} In an unreadable compressed payload, the codec had read up to the position. For a
   * failing record of a compressed batch, the position is the start of the payload.
   */
  int position();

  /** {@return the position of the fault in the plain record bytes, or -1 if it is elsewhere} */
  long plainPosition();

  /** {@return the index in the batch of the record at fault, or {@link #NO_RECORD}} */
  int recordIndex();

  /** {@return the size of the batch in bytes, with the prefix; 0 if its framing was refused} */
  int batchBytes();

  /** {@return the batch's codec, or null if the header was refused before it was read} */
  @Nullable Codec codec();

  /**
   * {@return how many records were read, including one that could not be read completely} If
   * several messages were rebuilt together, the count, the bytes and the maximum timestamp cover
   * all of them. If one of them is refused, they cover that message only.
   */
  int recordCount();

  /** {@return how many plain bytes were read: all of them unless a fault ended the walk} */
  long plainBytes();

  /**
   * {@return the sum of the sizes that the records declare, with their length fields in the
   * shortest form, as Kafka counts it; for magic 0 and 1 the sum of the message sizes} In a
   * compressed batch the producer can claim any sizes, so the sum can be any number, even a
   * negative one.
   */
  long declaredBytes();

  /** {@return the magic of the batch, 0 if its framing was refused} */
  byte magic();

  /**
   * {@return true if the batch cannot be stored in place under the policy's {@link
   * Policy#target()}, and was not rebuilt yet}
   *
   * <p>Also true for a rejected batch that would have needed a rebuild, if its header or the
   * records read before the fault show it. Its {@link #reason()} may differ from Kafka's; {@code
   * BatchRebuilder.rebuild} reports Kafka's.
   */
  boolean needsRebuild();

  /** {@return true if {@code BatchRebuilder.rebuild} filled this verdict and has a new batch} */
  boolean rebuilt();

  /**
   * {@return why the batch {@linkplain #needsRebuild() needs a rebuild} or {@linkplain #rebuilt()
   * was rebuilt}; null if it can be stored in place}
   */
  @Nullable RebuildCause rebuildCause();

  /** {@return true if the batch is a control batch; false if its header was refused} */
  boolean control();

  /**
   * {@return the largest timestamp of the records in milliseconds since the epoch, or -1} With
   * {@link TimestampType#LOG_APPEND_TIME} the batch gets another timestamp: the time given to
   * {@code OffsetStamp.assign}.
   */
  long maxTimestamp();

  /** {@return the timestamp type of the topic, or null if the header was not accepted} */
  @Nullable TimestampType timestampType();

  /**
   * {@return true if the batch is refused because of its failing records, false if it is accepted
   * or if a fault of the batch or of its payload outweighs them} In the latter case the failing
   * records found before the fault are kept, because Kafka has counted them in its metrics.
   */
  boolean decidedByRecords();

  /** {@return how many records failed; may exceed {@link #failureCount()}} */
  int failureTotal();

  /** {@return how many failing records are remembered, in the order of their indexes} */
  int failureCount();

  /**
   * {@return why the i-th remembered record failed}
   *
   * @param i 0 to {@link #failureCount()} - 1
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  Reason failureReason(int i);

  /**
   * {@return the index in the batch of the i-th remembered failing record}
   *
   * @param i 0 to {@link #failureCount()} - 1
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  int failureIndex(int i);

  /**
   * {@return the position of the i-th remembered failing record in the plain bytes}
   *
   * @param i 0 to {@link #failureCount()} - 1
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  long failurePlainPosition(int i);

  /**
   * Returns a sentence about why the i-th remembered record failed. Allocates.
   *
   * @param i 0 to {@link #failureCount()} - 1
   * @return the sentence
   * @throws IndexOutOfBoundsException if i is out of this range
   */
  String describeFailure(int i);

  /**
   * {@return the findings beyond level KAFKA; empty unless {@link Policy#looksStrictly()}} Always
   * the same object, valid as long as the verdict.
   */
  Findings findings();

  /** {@return a sentence about the result} Allocates. */
  String describe();
}
