// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.testing.BufferKind;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The {@code LogValidator} that a class path yields, stock or ours: both are called in the same
 * way, by any number of threads. The loader is closed with it.
 */
public final class LineSide implements AutoCloseable {
  private static final byte GUARD = 0x5A;

  private final LineClasses classes;
  private final LineArguments arguments;
  private final Map<Settings.Entry, Method> entries = new EnumMap<>(Settings.Entry.class);
  private final @Nullable Constructor<?> constructor;
  private final @Nullable Constructor<?> withLimit;
  private final LineResults results;
  private @Nullable Around around;

  /** Actions of a broker before and after the validator, on the thread of an append. */
  public interface Around {
    void enter(Settings settings, Object records) throws ReflectiveOperationException;

    void leave() throws ReflectiveOperationException;
  }

  /** Loads the class path of a line, with our jar first on it or without our jar. */
  public LineSide(KafkaLine line, boolean ours) throws ReflectiveOperationException {
    this(line, ours ? line.ours() : line.stock());
  }

  /** Loads a class path that is like that of a line. */
  LineSide(KafkaLine line, List<Path> path) throws ReflectiveOperationException {
    this(line, new LineClasses(path));
  }

  private LineSide(KafkaLine line, LineClasses classes) throws ReflectiveOperationException {
    this(line, classes, classes.validator());
  }

  /**
   * Calls a class that has the methods of a line's validator, and its constructors or, if it has
   * another name, perhaps only that with a record limit.
   */
  LineSide(KafkaLine line, LineClasses classes, Class<?> validator)
      throws ReflectiveOperationException {
    this.classes = classes;
    arguments = new LineArguments(classes, line);
    results = new LineResults(classes);
    Constructor<?> plain = constructor(validator, arguments.parameters());
    if (plain == null && validator.equals(classes.validator())) {
      throw new IllegalStateException(validator + " lacks a constructor that its line has");
    }
    withLimit =
        line.hasRecordLimit() || plain == null
            ? Objects.requireNonNull(constructor(validator, arguments.withLimit()))
            : null;
    constructor = plain;
    for (Settings.Entry entry : Settings.Entry.values()) {
      for (Method method : validator.getMethods()) {
        if (method.getName().equals(entry.method())) {
          entries.put(entry, method);
        }
      }
    }
  }

  private static @Nullable Constructor<?> constructor(Class<?> validator, int parameters) {
    for (Constructor<?> candidate : validator.getConstructors()) {
      if (candidate.getParameterCount() == parameters) {
        return candidate;
      }
    }
    return null;
  }

  public LineClasses classes() {
    return classes;
  }

  /** Sets the topic of the next appends, which is "topic" at first. Confines this to one thread. */
  public LineSide topic(String name) {
    try {
      arguments.topic(name);
      return this;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds what is done around each append from now on. */
  public LineSide around(Around added) {
    around = added;
    return this;
  }

  /** Returns the answer to an append; its bytes are copied first. */
  public Answer ask(Append append) {
    ByteBuffer buffer = append.placement().holding(append.bytes(), GUARD);
    Settings settings = append.settings();
    List<String> metrics = new ArrayList<>();
    try {
      Object records = classes.readableRecords(buffer.duplicate().order(buffer.order()));
      Object counter = classes.counter(settings.firstOffset());
      try {
        Object result = callAround(settings, records, counter, metrics);
        return new Answer(
            null,
            0,
            List.of(),
            ClientTexts.NONE,
            metrics,
            classes.value(counter),
            memory(buffer, append.placement()),
            results.read(result, records));
      } catch (InvocationTargetException e) {
        return refused(
            Objects.requireNonNull(e.getCause()),
            metrics,
            classes.value(counter),
            memory(buffer, append.placement()));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(append.toLine(), e);
    }
  }

  private Object callAround(Settings settings, Object records, Object counter, List<String> metrics)
      throws ReflectiveOperationException {
    Around added = around;
    if (added == null) {
      return call(settings, records, counter, metrics);
    }
    added.enter(settings, records);
    try {
      return call(settings, records, counter, metrics);
    } finally {
      added.leave();
    }
  }

  private Object call(Settings settings, Object records, Object counter, List<String> metrics)
      throws ReflectiveOperationException {
    boolean limited =
        constructor == null || (withLimit != null && settings.recordLimit() != Settings.NO_LIMIT);
    Constructor<?> with = Objects.requireNonNull(limited ? withLimit : constructor);
    Object validator = with.newInstance(arguments.of(settings, records, limited));
    Method entry = Objects.requireNonNull(entries.get(settings.entry()));
    Object recorder = classes.recorder(metrics);
    if (settings.entry() == Settings.Entry.NON_COMPRESSED) {
      return entry.invoke(validator, counter, recorder);
    }
    return entry.invoke(validator, counter, recorder, classes.supplier(settings.caching()));
  }

  private Answer refused(Throwable thrown, List<String> metrics, long next, byte[] caller)
      throws ReflectiveOperationException {
    Throwable answered = results.answered(thrown);
    return new Answer(
        new Answer.Thrown(thrown, answered),
        results.errorCode(answered),
        results.recordErrors(thrown),
        ClientTexts.of(answered.getMessage(), results.recordTexts(thrown)),
        metrics,
        next,
        caller,
        null);
  }

  /** Returns the memory that an append lies in, before anybody was given it. */
  public static byte[] memory(Append append) {
    return memory(append.placement().holding(append.bytes(), GUARD), append.placement());
  }

  /** All of the memory that the buffer is a window of, as far as it can be seen. */
  @SuppressWarnings("ByteBufferBackingArray") // with what lies around the window
  private static byte[] memory(ByteBuffer buffer, BufferKind placement) {
    if (placement != BufferKind.READ_ONLY && buffer.hasArray()) {
      return buffer.array().clone();
    }
    byte[] bytes = new byte[buffer.capacity()];
    buffer.duplicate().clear().get(bytes);
    return bytes;
  }

  /** Returns what the reader of this line makes of stored bytes, as text. */
  public String readAll(byte[] stored) {
    return results.readAll(stored);
  }

  @Override
  public void close() {
    classes.close();
  }
}
