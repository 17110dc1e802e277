// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one side answers to an append, in terms that are the same for all lines.
 *
 * @param thrown null if the append was accepted
 * @param errorCode that a broker would send, 0 if accepted
 * @param recordErrors of a refusal that lists records, in order: index and kind
 * @param texts that a client gets
 * @param metrics callbacks, in order
 * @param nextOffset where the offset counter stands afterwards
 * @param caller the caller's memory afterwards, with what lies around the records
 * @param result null if refused
 */
@SuppressWarnings("ArrayRecordComponent") // compared by differences()
public record Answer(
    @Nullable Thrown thrown,
    int errorCode,
    List<String> recordErrors,
    ClientTexts texts,
    List<String> metrics,
    long nextOffset,
    byte[] caller,
    @Nullable Result result) {

  /** Parts in which two answers can differ. */
  public enum Part {
    ACCEPTED,
    EXCEPTION,
    ERROR_CODE,
    RECORD_ERRORS,
    TEXTS,
    METRICS,
    NEXT_OFFSET,
    CALLER_BYTES,
    RESULT_FIELDS,
    RESULT_BYTES
  }

  /**
   * An exception or error.
   *
   * @param thrown what came out
   * @param answered the same, or what a {@code RecordValidationException} carries
   */
  public record Thrown(Throwable thrown, Throwable answered) {
    private static final int MOST_FRAMES = 12;

    /** Returns the name of the class. */
    public String type() {
      return thrown.getClass().getName();
    }

    /** Returns the name of the class that is carried, else nothing. */
    public String inner() {
      return answered == thrown ? "" : answered.getClass().getName();
    }

    /** Returns class, message and where it was thrown, of use where answers differ. */
    public String text() {
      StringBuilder text = new StringBuilder(thrown.toString());
      Arrays.stream(thrown.getStackTrace())
          .limit(MOST_FRAMES)
          .forEach(frame -> text.append(" < ").append(place(frame)));
      return thrown.getCause() == null ? text.toString() : text + " cause " + thrown.getCause();
    }

    private static String place(StackTraceElement frame) {
      String name = frame.getClassName();
      return name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName();
    }

    /** True if the text is that of the cause, as where a stream could not be opened. */
    boolean repeatsItsCause() {
      Throwable cause = answered.getCause();
      return cause != null && cause.toString().equals(answered.getMessage());
    }

    boolean ofKafka() {
      return type().startsWith("org.apache.kafka.");
    }

    boolean is(String simpleName) {
      return type().endsWith("." + simpleName);
    }
  }

  /**
   * A result, the time that the conversion took left out.
   *
   * @param fields of the result and its statistics
   * @param sameInstance true if the records are the caller's
   * @param bytes of the records to be stored
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by differences()
  public record Result(Fields fields, boolean sameInstance, byte[] bytes) {}

  /** The numbers of a result. */
  public record Fields(
      long logAppendTimeMs,
      long maxTimestampMs,
      boolean messageSizeMaybeChanged,
      long temporaryMemoryBytes,
      int numRecordsConverted) {}

  public boolean accepted() {
    return thrown == null;
  }

  /** True if what came out is no exception of Kafka's own. */
  public boolean crashed() {
    return thrown != null && !thrown.ofKafka();
  }

  /** True if memory or stack did not suffice. */
  public boolean ranOut() {
    return thrown != null && thrown.thrown() instanceof VirtualMachineError;
  }

  /** Returns true if the thrown class is that of the name, without its package. */
  public boolean threw(String simpleName) {
    return thrown != null && thrown.is(simpleName);
  }

  /** True if the text is Kafka's own, not that of an exception of a codec or of the JDK. */
  private boolean wordsItsRefusal() {
    return thrown != null && thrown.ofKafka() && !thrown.repeatsItsCause();
  }

  /** Returns where the answers differ; result bytes are compared as they are. */
  public Set<Part> differences(Answer other) {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    differ(parts, Part.ACCEPTED, accepted(), other.accepted());
    differ(parts, Part.EXCEPTION, types(), other.types());
    differ(parts, Part.ERROR_CODE, errorCode, other.errorCode);
    differ(parts, Part.RECORD_ERRORS, recordErrors, other.recordErrors);
    if (wordsItsRefusal() && !texts.sayTheSame(other.texts)) {
      parts.add(Part.TEXTS);
    }
    differ(parts, Part.METRICS, metrics, other.metrics);
    differ(parts, Part.NEXT_OFFSET, nextOffset, other.nextOffset);
    if (!Arrays.equals(caller, other.caller)) {
      parts.add(Part.CALLER_BYTES);
    }
    if (result != null && other.result != null) {
      differ(parts, Part.RESULT_FIELDS, result.fields, other.result.fields);
      differ(parts, Part.RESULT_FIELDS, result.sameInstance, other.result.sameInstance);
      if (!Arrays.equals(result.bytes, other.result.bytes)) {
        parts.add(Part.RESULT_BYTES);
      }
    }
    return parts;
  }

  private static void differ(Set<Part> parts, Part part, Object one, Object other) {
    if (!Objects.equals(one, other)) {
      parts.add(part);
    }
  }

  private List<String> types() {
    return thrown == null ? List.of() : List.of(thrown.type(), thrown.inner());
  }

  @Override
  public String toString() {
    return (thrown == null ? "accepted" : thrown.text())
        + ", code "
        + errorCode
        + (recordErrors.isEmpty() ? "" : ", records " + recordErrors)
        + (metrics.isEmpty() ? "" : ", metrics " + metrics)
        + ", next "
        + nextOffset
        + (result == null
            ? ""
            : ", "
                + result.fields
                + (result.sameInstance ? " same" : " new")
                + " "
                + result.bytes.length
                + " bytes");
  }
}
