// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Handles on public members of types that no source can name for all lines, since they moved. All
 * take their arguments, the receiver first, in one array.
 */
final class Handles {
  private static final MethodHandles.Lookup PUBLIC = MethodHandles.publicLookup();
  private static final MethodType SPREAD = MethodType.methodType(Object.class, Object[].class);

  private Handles() {}

  /** Calls a handle of this class; what is called throws what it throws, as it is. */
  static Object call(MethodHandle handle, @Nullable Object... arguments) throws Throwable {
    return (Object) handle.invokeExact(arguments);
  }

  static MethodHandle of(Constructor<?> constructor) throws IllegalAccessException {
    return spread(PUBLIC.unreflectConstructor(constructor));
  }

  static MethodHandle of(Method method) throws IllegalAccessException {
    return spread(PUBLIC.unreflect(method));
  }

  /** {@return a handle on the public method of a name, of which there is one} */
  static MethodHandle method(Class<?> type, String name)
      throws NoSuchMethodException, IllegalAccessException {
    return of(find(type, name));
  }

  /** {@return a handle that reads what is a field up to Kafka 4.1 and a record's part since} */
  static MethodHandle part(Class<?> type, String name) throws ReflectiveOperationException {
    return type.isRecord()
        ? method(type, name)
        : spread(PUBLIC.unreflectGetter(type.getField(name)));
  }

  /** {@return the public method of a name, of which there is one} */
  static Method find(Class<?> type, String name) throws NoSuchMethodException {
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name) && !method.isBridge()) {
        return method;
      }
    }
    throw new NoSuchMethodException(type.getName() + "." + name);
  }

  private static MethodHandle spread(MethodHandle handle) {
    int count = handle.type().parameterCount();
    return handle.asFixedArity().asSpreader(Object[].class, count).asType(SPREAD);
  }
}
