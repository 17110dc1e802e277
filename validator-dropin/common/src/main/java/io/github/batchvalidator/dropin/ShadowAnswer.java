// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.jspecify.annotations.Nullable;

/**
 * What one side made of an append, as a broker sees it.
 *
 * @param thrown null if the append was accepted
 * @param metrics that were marked
 * @param nextOffset where the offset counter stands afterwards
 * @param caller the memory of the caller's records, as it is afterwards
 * @param fields of the result; null if the append was refused
 * @param writtenAnew what is to be stored, if that is not the caller's records; else null
 */
record ShadowAnswer(
    @Nullable Throwable thrown,
    RecordedCalls metrics,
    long nextOffset,
    ByteBuffer caller,
    LineTypes.@Nullable Fields fields,
    @Nullable ByteBuffer writtenAnew) {
  private static final int MOST_CHARACTERS = 300;

  boolean accepted() {
    return thrown == null;
  }

  /** True if what was thrown is none of Kafka's exceptions: a broker knows no answer to it. */
  boolean crashed() {
    return thrown != null && !thrown.getClass().getName().startsWith("org.apache.kafka.");
  }

  /** {@return the classes of what was thrown, and of what it carries for the producer} */
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

  /** {@return the code that a producer is sent} */
  int errorCode() {
    Throwable sent = answered();
    return sent == null ? 0 : Errors.forException(sent).code();
  }

  private @Nullable Throwable answered() {
    return thrown instanceof RecordValidationException several
        ? several.invalidException()
        : thrown;
  }

  /** {@return which records are refused; their texts are each side's own} */
  List<Integer> failingRecords() {
    return thrown instanceof RecordValidationException several
        ? several.recordErrors().stream().map(error -> error.batchIndex).toList()
        : List.of();
  }

  /** {@return the answer for the log, not longer than a line should be} */
  String describe() {
    String text = thrown == null ? "accepts, " + fields : "throws " + thrown;
    text += ", next offset " + nextOffset;
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
  }
}
