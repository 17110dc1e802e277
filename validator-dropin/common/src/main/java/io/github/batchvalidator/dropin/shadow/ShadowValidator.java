// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import io.github.batchvalidator.dropin.append.LineValidator;
import io.github.batchvalidator.dropin.shadow.LineCalls.Entry;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * One append in shadow mode. Kafka's validator receives the caller's own arguments, so the caller
 * sees only Kafka's result, exception, records, offset counter and metrics. Our validator then
 * receives copies of the records and the counter, and its exceptions are caught.
 *
 * <p>Confined to one thread.
 */
final class ShadowValidator<R, C, M, B> implements LineValidator<R, C, M, B> {
  private static final int RECORDS = 0;
  private static final int PARTITION = 1;
  private static final int TIME = 2;

  private final ValidatorPair validators;
  private final ShadowCounts counts;
  private final Class<?> ours;
  private final Object[] arguments;
  private final ReplayedTime time;
  private final Object stock;

  ShadowValidator(
      ValidatorPair validators, ShadowCounts counts, Class<?> ours, Object... arguments) {
    this.validators = validators;
    this.counts = counts;
    this.ours = ours;
    this.arguments = arguments.clone();
    time = new ReplayedTime((Time) arguments[TIME]);
    this.arguments[TIME] = time;
    try {
      stock = validators.stock().create(this.arguments);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  public R validateMessagesAndAssignOffsets(C offsetCounter, M metricsRecorder, B bufferSupplier) {
    return serve(Entry.VALIDATE, metricsRecorder, offsetCounter, bufferSupplier);
  }

  @Override
  public R assignOffsetsNonCompressed(C offsetCounter, M metricsRecorder) {
    return serve(Entry.NON_COMPRESSED, metricsRecorder, offsetCounter, null);
  }

  @Override
  public R validateMessagesAndAssignOffsetsCompressed(
      C offsetCounter, M metricsRecorder, B bufferSupplier) {
    return serve(Entry.COMPRESSED, metricsRecorder, offsetCounter, bufferSupplier);
  }

  /** The arguments of a call before Kafka's validator changes them. */
  @SuppressWarnings("ArrayRecordComponent") // the array is never changed
  private record Before(Entry entry, byte[] bytes, long offset, @Nullable Object supplier) {}

  @SuppressWarnings("unchecked") // R is the result type of Kafka's class
  private R serve(
      Entry entry, @Nullable Object recorder, Object counter, @Nullable Object supplier) {
    time.reset();
    Before before = before(entry, counter, supplier);
    RecordedCalls metrics = new RecordedCalls(recorder);
    Object result = null;
    Throwable thrown = null;
    try {
      result = call(validators.stock(), stock, entry, counter, metrics, supplier);
    } catch (Throwable e) {
      thrown = e;
    }
    if (before != null) {
      compare(before, metrics, counter, result, thrown);
    }
    if (thrown != null) {
      throw unchecked(thrown);
    }
    return (R) Objects.requireNonNull(result);
  }

  private @Nullable Object call(
      LineCalls calls,
      Object validator,
      Entry entry,
      Object counter,
      RecordedCalls metrics,
      @Nullable Object supplier)
      throws Throwable {
    Object recorder = validators.types().recorder(metrics);
    return entry == Entry.NON_COMPRESSED
        ? calls.call(entry, validator, counter, recorder)
        : calls.call(entry, validator, counter, recorder, supplier);
  }

  /** {@return the arguments, or null if there is no memory for a copy} */
  private @Nullable Before before(Entry entry, Object counter, @Nullable Object supplier) {
    try {
      counts.add();
      ByteBuffer buffer = validators.types().buffer(arguments[RECORDS]);
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return new Before(entry, bytes, validators.types().value(counter), supplier);
    } catch (Throwable e) {
      countFailure(e);
      return null;
    }
  }

  private void compare(
      Before before,
      RecordedCalls metrics,
      Object counter,
      @Nullable Object result,
      @Nullable Throwable thrown) {
    try {
      ShadowAnswer expected = answer(arguments[RECORDS], metrics, counter, result, thrown);
      ShadowAnswer actual = askOurs(before);
      Set<ShadowDifference> found = ShadowDifference.between(expected, actual, before.bytes);
      if (!found.isEmpty()) {
        counts.addDifference(
            ShadowDifference.kind(found, expected, actual),
            () -> describe(found, expected, actual),
            () -> sample(before));
      }
    } catch (Throwable e) {
      countFailure(e);
    }
  }

  private ShadowAnswer askOurs(Before before) throws Throwable {
    boolean readOnly = validators.types().buffer(arguments[RECORDS]).isReadOnly();
    ByteBuffer copy = ByteBuffer.wrap(before.bytes.clone());
    Object records = validators.types().records(readOnly ? copy.asReadOnlyBuffer() : copy);
    Object[] others = arguments.clone();
    others[RECORDS] = records;
    Object counter = validators.types().counter(before.offset);
    RecordedCalls metrics = new RecordedCalls(null);
    Object result = null;
    Throwable thrown = null;
    try {
      LineCalls calls = validators.ours(ours);
      Object validator = calls.create(others);
      result = call(calls, validator, before.entry, counter, metrics, before.supplier);
    } catch (Throwable e) {
      thrown = e;
    }
    return answer(records, metrics, counter, result, thrown);
  }

  private ShadowAnswer answer(
      Object records,
      RecordedCalls metrics,
      Object counter,
      @Nullable Object result,
      @Nullable Throwable thrown)
      throws Throwable {
    LineTypes types = validators.types();
    Object stored = result == null ? records : types.stored(result);
    return new ShadowAnswer(
        thrown,
        metrics,
        types.value(counter),
        types.buffer(records),
        result == null ? null : types.fields(result),
        stored == records ? null : types.buffer(stored));
  }

  private String describe(Set<ShadowDifference> found, ShadowAnswer stock, ShadowAnswer ours) {
    return arguments[PARTITION]
        + ": Kafka "
        + stock.describe()
        + "; ours "
        + ours.describe()
        + "; they differ in "
        + found;
  }

  private @Nullable String sample(Before before) {
    if (before.bytes.length > ShadowCounts.MAX_SAMPLE_CHARACTERS) {
      return null;
    }
    try {
      ByteBuffer buffer = validators.types().buffer(arguments[RECORDS]);
      return ShadowSample.line(
          before.entry, arguments, buffer, time.milliseconds(), before.offset, before.bytes);
    } catch (Throwable e) {
      return null;
    }
  }

  /** Counts a failure of the comparison. Kafka's answer is served even if this fails too. */
  private void countFailure(Throwable why) {
    try {
      String kind = ShadowDifference.OURS_FAILED + " comparing " + why.getClass().getSimpleName();
      counts.addDifference(kind, why::toString, () -> null);
    } catch (RuntimeException | Error e) {
      Objects.requireNonNull(e); // out of memory again: the failure is not counted
    }
  }

  /** {@return the exception to rethrow unchanged} Kafka's validator declares no checked one. */
  private static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException exception
        ? exception
        : new IllegalStateException(thrown);
  }
}
