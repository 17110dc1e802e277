// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Method handles for public members of types that moved between lines, so that no source can name
 * them for all lines. Each handle takes one array: the receiver, then the arguments.
 */
final class Handles {
  private static final MethodHandles.Lookup PUBLIC = MethodHandles.publicLookup();
  private static final MethodType SPREAD = MethodType.methodType(Object.class, Object[].class);

  private Handles() {}

  /** Calls a handle of this class. Exceptions of the called member pass unchanged. */
  static Object call(MethodHandle handle, @Nullable Object... arguments) throws Throwable {
    return (Object) handle.invokeExact(arguments);
  }

  static MethodHandle of(Constructor<?> constructor) throws IllegalAccessException {
    return spread(PUBLIC.unreflectConstructor(constructor));
  }

  static MethodHandle of(Method method) throws IllegalAccessException {
    return spread(PUBLIC.unreflect(method));
  }

  /** {@return a handle for the only public method of a name} */
  static MethodHandle method(Class<?> type, String name)
      throws NoSuchMethodException, IllegalAccessException {
    return of(find(type, name));
  }

  /** {@return a handle for a field, as up to Kafka 4.1, or a record component, as since 4.2} */
  static MethodHandle part(Class<?> type, String name) throws ReflectiveOperationException {
    return type.isRecord()
        ? method(type, name)
        : spread(PUBLIC.unreflectGetter(type.getField(name)));
  }

  /** {@return the only public method of a name} */
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
