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
  /** The number of failing records that a verdict remembers unless told otherwise. */
  int DEFAULT_RECORD_FAILURES = 16;

  /** The index of a fault that is not that of one record. */
  int NO_RECORD = -1;

  /** {@return the heap bytes held for the list of failing records, which never shrinks} */
  long heapBytes();

  /** {@return true if the batch was inspected to the end and nothing was found} */
  boolean accepted();

  /**
   * {@return why the batch was refused, or null if it was not} Where several records failed, the
   * first one whose answer is {@link Reason.Answer#INVALID_TIMESTAMP}, else the first one: that is
   * the one that decides Kafka's answer.
   */
  @Nullable Reason reason();

  /** {@return the first number of the reason's sentence, 0 if it has none} */
  long firstOperand();

  /** {@return the second number of the reason's sentence, 0 if it has none} */
  long secondOperand();

  /**
   * {@return the exception or error of a codec library that led to the refusal, or null} It is
   * meant for logs: its message and class are the library's and may change with its version.
   */
  @Nullable Throwable cause();

  /**
   * {@return where the fault was found, in bytes from the start of the batch; if a compressed
   * payload cannot be read as far as the codec had read, and its start if a record in it fails} A
   * fault of the batch as a whole has 0.
   */
  int position();

  /** {@return where in the plain record bytes the fault was found, or -1 if it was not there} */
  long plainPosition();

  /** {@return the index in the batch of the record at fault, or {@link #NO_RECORD}} */
  int recordIndex();

  /** {@return the size of the batch in bytes, prefix included; 0 if its framing was refused} */
  int batchBytes();

  /** {@return the batch's codec, or null if the header was refused before it was read} */
  @Nullable Codec codec();

  /**
   * {@return how many records were looked at, one that could not be read included} Of several
   * messages that were rebuilt together this, the bytes and the maximum timestamp are those of all;
   * if one of them is refused, its own.
   */
  int recordCount();

  /** {@return how many plain bytes were read: all of them unless a fault ended the walk} */
  long plainBytes();

  /**
   * {@return the sum over all records of the body that each declares and of the number that says so
   * in its shortest form, as Kafka counts it; of magic 0 and 1 the sizes of the messages} Of a
   * compressed batch it is what the producer claims: it may be anything, and negative.
   */
  long declaredBytes();

  /** {@return the magic of the batch, 0 if its framing was refused} */
  byte magic();

  /**
   * {@return true if the batch, once accepted, cannot be stored as it is, or was rebuilt} An
   * inspection knows neither the topic's codec nor whether uncompressed records leave gaps between
   * their offsets, which only matters where they are compressed: a host compares these itself.
   */
  boolean needsRebuild();

  /** {@return why it cannot, or null if it can} */
  @Nullable RebuildCause rebuildCause();

  /** {@return true if the batch is a control batch; false if its header was refused} */
  boolean control();

  /** {@return the largest timestamp of the records in milliseconds since the epoch, or -1} */
  long maxTimestamp();

  /** {@return the timestamp type of the topic, or null if the header was not accepted} */
  @Nullable TimestampType timestampType();

  /**
   * {@return true if the batch is refused for its failing records, false if it is accepted or if a
   * fault of the batch or of its payload outweighs them} In the latter case the failing records
   * found until then are still there: Kafka has counted them in its metrics.
   */
  boolean decidedByRecords();

  /** {@return how many records failed a rule of their own; may exceed what is remembered} */
  int failureTotal();

  /** {@return how many failing records are remembered, in the order of their indexes} */
  int failureCount();

  /**
   * {@return why the i-th remembered record failed}
   *
   * @param i 0 to {@link #failureCount()} - 1
   */
  Reason failureReason(int i);

  /**
   * {@return the index in the batch of the i-th remembered failing record}
   *
   * @param i 0 to {@link #failureCount()} - 1
   */
  int failureIndex(int i);

  /**
   * {@return where the i-th remembered failing record starts, in plain bytes}
   *
   * @param i 0 to {@link #failureCount()} - 1
   */
  long failurePlainPosition(int i);

  /**
   * Says in a sentence why the i-th remembered record failed. Allocates.
   *
   * @param i 0 to {@link #failureCount()} - 1
   * @return the sentence
   */
  String describeFailure(int i);

  /**
   * {@return what was found beyond level KAFKA, empty unless the policy {@linkplain
   * Policy#looksStrictly looks for it}} The same object always, valid as the verdict is.
   */
  Findings findings();

  /** {@return a sentence that says what was found} Allocates. */
  String describe();
}
