// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The constructors and methods of a line's validator, Kafka's or ours. Immutable. */
final class LineCalls {
  /** The public methods of the validator. A sample contains the name of the constant. */
  enum Entry {
    VALIDATE("validateMessagesAndAssignOffsets"),
    NON_COMPRESSED("assignOffsetsNonCompressed"),
    COMPRESSED("validateMessagesAndAssignOffsetsCompressed");

    private final String method;

    Entry(String method) {
      this.method = method;
    }

    String method() {
      return method;
    }
  }

  private final Map<Entry, MethodHandle> entries = new EnumMap<>(Entry.class);
  private final @Nullable MethodHandle[] constructors;

  /**
   * Finds the constructors and methods.
   *
   * @param validator Kafka's class, or our class for the line
   * @throws ReflectiveOperationException if a method is missing
   */
  LineCalls(Class<?> validator) throws ReflectiveOperationException {
    Constructor<?>[] all = validator.getConstructors();
    int most = Arrays.stream(all).mapToInt(Constructor::getParameterCount).max().orElse(0);
    constructors = new @Nullable MethodHandle[most + 1];
    for (Constructor<?> constructor : all) {
      constructors[constructor.getParameterCount()] = Handles.of(constructor);
    }
    for (Entry entry : Entry.values()) {
      entries.put(entry, Handles.method(validator, entry.method));
    }
  }

  /**
   * {@return a new validator} The jars for 4.2 and 4.3 pass a record limit as the last argument. If
   * the Kafka version does not have this parameter, the argument is omitted.
   */
  Object create(Object... arguments) throws Throwable {
    int count = Math.min(arguments.length, constructors.length - 1);
    MethodHandle constructor = constructors[count];
    if (constructor == null) {
      throw new NoSuchMethodException("a constructor that takes " + count);
    }
    return Handles.call(constructor, Arrays.copyOf(arguments, count));
  }

  /** {@return the result of a method} The first argument is the validator. */
  Object call(Entry entry, @Nullable Object... arguments) throws Throwable {
    MethodHandle method = entries.get(entry);
    if (method == null) {
      throw new NoSuchMethodException(entry.method);
    }
    return Handles.call(method, arguments);
  }
}
