// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one validator to an append, as a broker sees it.
 *
 * @param thrown the exception, or null if the append was accepted
 * @param metrics the marked meters
 * @param nextOffset the offset counter after the call
 * @param caller the memory of the caller's records after the call
 * @param fields the numbers of the result; null if the append was refused
 * @param rebuilt the batch to store; null if the caller's records are stored
 */
record ShadowAnswer(
    @Nullable Throwable thrown,
    RecordedCalls metrics,
    long nextOffset,
    ByteBuffer caller,
    LineTypes.@Nullable Fields fields,
    @Nullable ByteBuffer rebuilt) {
  private static final int MAX_CHARACTERS = 300;

  boolean accepted() {
    return thrown == null;
  }

  /** {@return true if the exception is not Kafka's, so that a broker has no error code for it} */
  boolean crashed() {
    return thrown != null && !thrown.getClass().getName().startsWith("org.apache.kafka.");
  }

  /** {@return the class of the exception, and of the exception that it carries for the producer} */
  String type() {
    if (thrown == null) {
      return "accepted";
    }
    String name = thrown.getClass().getSimpleName();
    Throwable inner = answered();
    return inner == thrown || inner == null
        ? name
        : name + "(" + inner.getClass().getSimpleName() + ")";
  }

  /** {@return the error code that the producer receives} */
  int errorCode() {
    Throwable sent = answered();
    return sent == null ? 0 : Errors.forException(sent).code();
  }

  private @Nullable Throwable answered() {
    return thrown instanceof RecordValidationException several
        ? several.invalidException()
        : thrown;
  }

  /** {@return the indices of refused records; their texts are not compared} */
  List<Integer> failingRecords() {
    return thrown instanceof RecordValidationException several
        ? several.recordErrors().stream().map(error -> error.batchIndex).toList()
        : List.of();
  }

  /** {@return the answer for the log, shortened to one line} */
  String describe() {
    String text = thrown == null ? "accepts, " + fields : "throws " + thrown;
    text += ", next offset " + nextOffset;
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "...";
  }
}
