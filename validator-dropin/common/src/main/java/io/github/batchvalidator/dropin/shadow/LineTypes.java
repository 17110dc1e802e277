// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;

/** The members of Kafka's types that moved between lines. Immutable. */
final class LineTypes {
  private final Class<?> recorder;
  private final MethodHandle buffer;
  private final MethodHandle readableRecords;
  private final MethodHandle ofLong;
  private final MethodHandle value;
  private final MethodHandle logAppendTimeMs;
  private final MethodHandle validatedRecords;
  private final MethodHandle maxTimestampMs;
  private final MethodHandle messageSizeMaybeChanged;
  private final MethodHandle recordValidationStats;
  private final MethodHandle temporaryMemoryBytes;
  private final MethodHandle numRecordsConverted;

  /**
   * Finds the types by the signatures of a validator.
   *
   * @param validator Kafka's class
   * @throws ReflectiveOperationException if a member is missing
   */
  LineTypes(Class<?> validator) throws ReflectiveOperationException {
    Method entry = Handles.find(validator, LineCalls.Entry.VALIDATE.method());
    Class<?> counter = entry.getParameterTypes()[0];
    recorder = entry.getParameterTypes()[1];
    ofLong = Handles.method(counter.getDeclaringClass(), "ofLong");
    value = Handles.part(counter, "value");
    Class<?> result = entry.getReturnType();
    logAppendTimeMs = Handles.part(result, "logAppendTimeMs");
    validatedRecords = Handles.part(result, "validatedRecords");
    maxTimestampMs = Handles.part(result, "maxTimestampMs");
    messageSizeMaybeChanged = Handles.part(result, "messageSizeMaybeChanged");
    recordValidationStats = Handles.part(result, "recordValidationStats");
    Class<?> records = validator.getConstructors()[0].getParameterTypes()[0];
    buffer = Handles.method(records, "buffer");
    readableRecords = Handles.method(records, "readableRecords");
    Class<?> stats = result.getConstructors()[0].getParameterTypes()[4];
    temporaryMemoryBytes = Handles.method(stats, "temporaryMemoryBytes");
    numRecordsConverted = Handles.method(stats, "numRecordsConverted");
  }

  /**
   * The numbers of a result, without durations.
   *
   * @param logAppendTimeMs the time of the append
   * @param maxTimestampMs the largest timestamp of the records
   * @param changed true if the records were rebuilt
   * @param temporaryBytes the temporary memory, counted as Kafka counts it
   * @param converted the number of rebuilt records
   */
  record Fields(
      long logAppendTimeMs,
      long maxTimestampMs,
      boolean changed,
      long temporaryBytes,
      int converted) {}

  /** {@return a new buffer object around the memory of records} */
  ByteBuffer buffer(Object records) throws Throwable {
    return (ByteBuffer) Handles.call(buffer, records);
  }

  Object records(ByteBuffer bytes) throws Throwable {
    return Handles.call(readableRecords, bytes);
  }

  /** {@return a {@code MetricsRecorder} that counts its calls} */
  Object recorder(RecordedCalls calls) {
    return Proxy.newProxyInstance(recorder.getClassLoader(), new Class<?>[] {recorder}, calls);
  }

  Object counter(long start) throws Throwable {
    return Handles.call(ofLong, start);
  }

  long value(Object counter) throws Throwable {
    return (long) Handles.call(value, counter);
  }

  /** {@return the records to store} */
  Object stored(Object result) throws Throwable {
    return Handles.call(validatedRecords, result);
  }

  Fields fields(Object result) throws Throwable {
    Object stats = Handles.call(recordValidationStats, result);
    return new Fields(
        (long) Handles.call(logAppendTimeMs, result),
        (long) Handles.call(maxTimestampMs, result),
        (boolean) Handles.call(messageSizeMaybeChanged, result),
        (long) Handles.call(temporaryMemoryBytes, stats),
        (int) Handles.call(numRecordsConverted, stats));
  }
}
