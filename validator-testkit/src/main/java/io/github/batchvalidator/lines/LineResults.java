// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what a line's validator returned or threw; results are classes up to 4.1, then records. */
final class LineResults {
  private static final List<String> BATCH =
      List.of(
          "isValid",
          "magic",
          "baseOffset",
          "lastOffset",
          "maxTimestamp",
          "timestampType",
          "compressionType",
          "producerId",
          "producerEpoch",
          "baseSequence",
          "countOrNull",
          "isTransactional",
          "isControlBatch",
          "deleteHorizonMs",
          "partitionLeaderEpoch");
  private static final List<String> RECORD =
      List.of("offset", "sequence", "timestamp", "key", "value");

  /** The rules, by the sentence of each. */
  private static final Map<String, Pattern> KINDS =
      Map.of(
          "key",
          Pattern.compile("Compacted topic cannot accept .*"),
          "timestamp",
          Pattern.compile("Timestamp .* is out of range.*"),
          "type",
          Pattern.compile("Invalid timestamp type .*"),
          "magic",
          Pattern.compile("Record .* magic does not match .*"));

  /** Accessors of the parts of results: methods of records, or fields of earlier classes. */
  private static final ClassValue<Map<String, Member>> PARTS =
      new ClassValue<>() {
        @Override
        protected Map<String, Member> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private final LineClasses classes;
  private final Class<?> several;
  private final Method invalidException;
  private final Method recordErrors;
  private final Method forException;
  private final Method code;
  private final Method buffer;
  private final Method batches;
  private final List<Method> ofBatch;
  private final List<Method> ofRecord;
  private final Method headers;

  LineResults(LineClasses classes) throws ReflectiveOperationException {
    this.classes = classes;
    several = classes.find("RecordValidationException");
    invalidException = several.getMethod("invalidException");
    recordErrors = several.getMethod("recordErrors");
    Class<?> errors = classes.find("Errors");
    forException = errors.getMethod("forException", Throwable.class);
    code = errors.getMethod("code");
    buffer = classes.find("MemoryRecords").getMethod("buffer");
    batches = classes.find("MemoryRecords").getMethod("batches");
    ofBatch = methods(classes.find("RecordBatch"), BATCH);
    ofRecord = methods(classes.find("Record"), RECORD);
    headers = classes.find("Record").getMethod("headers");
  }

  private static List<Method> methods(Class<?> type, List<String> names)
      throws ReflectiveOperationException {
    List<Method> methods = new ArrayList<>();
    for (String name : names) {
      methods.add(type.getMethod(name));
    }
    return methods;
  }

  Answer.Result read(Object result, Object records) throws ReflectiveOperationException {
    Object stored = part(result, "validatedRecords");
    Object stats = part(result, "recordValidationStats");
    return new Answer.Result(
        new Answer.Fields(
            (long) part(result, "logAppendTimeMs"),
            (long) part(result, "maxTimestampMs"),
            (boolean) part(result, "messageSizeMaybeChanged"),
            (long) part(stats, "temporaryMemoryBytes"),
            (int) part(stats, "numRecordsConverted")),
        stored == records,
        bytes((ByteBuffer) buffer.invoke(stored)));
  }

  private static Object part(Object whole, String name) throws ReflectiveOperationException {
    Member part = PARTS.get(whole.getClass()).computeIfAbsent(name, any -> find(whole, any));
    return part instanceof Method method ? method.invoke(whole) : ((Field) part).get(whole);
  }

  private static Member find(Object whole, String name) {
    try {
      return whole.getClass().getMethod(name);
    } catch (NoSuchMethodException e) {
      return field(whole.getClass(), name);
    }
  }

  private static Field field(Class<?> type, String name) {
    try {
      return type.getField(name);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** Returns what a broker answers with: the exception, or that which lists records. */
  Throwable answered(Throwable thrown) throws ReflectiveOperationException {
    return several.isInstance(thrown) ? (Throwable) invalidException.invoke(thrown) : thrown;
  }

  int errorCode(Throwable thrown) throws ReflectiveOperationException {
    return (short) code.invoke(forException.invoke(null, thrown));
  }

  /** Returns the message of each failing record. */
  List<String> recordTexts(Throwable thrown) throws ReflectiveOperationException {
    if (!several.isInstance(thrown)) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    for (Object error : (List<?>) recordErrors.invoke(thrown)) {
      all.add(Objects.toString(error.getClass().getField("message").get(error)));
    }
    return all;
  }

  List<String> recordErrors(Throwable thrown) throws ReflectiveOperationException {
    if (!several.isInstance(thrown)) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    for (Object error : (List<?>) recordErrors.invoke(thrown)) {
      int index = error.getClass().getField("batchIndex").getInt(error);
      all.add(index + " " + kind((String) error.getClass().getField("message").get(error)));
    }
    return all;
  }

  /** Which rule a message is of. */
  private static String kind(@Nullable String message) {
    String text = Objects.toString(message);
    for (Map.Entry<String, Pattern> kind : KINDS.entrySet()) {
      if (kind.getValue().matcher(text).matches()) {
        return kind.getKey();
      }
    }
    return text;
  }

  /** Reads all batches and records; what the reader throws ends the text. */
  String readAll(byte[] stored) {
    StringBuilder text = new StringBuilder();
    try {
      Object records = classes.readableRecords(ByteBuffer.wrap(stored));
      for (Object batch : (Iterable<?>) batches.invoke(records)) {
        append(text, batch, ofBatch);
        for (Object record : (Iterable<?>) batch) {
          append(text, record, ofRecord);
          text.append(Arrays.toString((Object[]) headers.invoke(record)));
        }
      }
    } catch (InvocationTargetException e) {
      text.append(Objects.requireNonNull(e.getCause()).getClass().getName());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } catch (RuntimeException e) {
      text.append(e.getClass().getName());
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Object of, List<Method> methods)
      throws ReflectiveOperationException {
    text.append('\n').append(of.getClass().getSimpleName());
    for (Method method : methods) {
      Object value = method.invoke(of);
      text.append(' ').append(method.getName()).append('=');
      text.append(value instanceof ByteBuffer some ? Arrays.toString(bytes(some)) : value);
    }
  }
}
