// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The meters that one append marks. The handler of a proxy for Kafka's {@code MetricsRecorder},
 * which forwards each mark to another recorder if there is one. Confined to one thread.
 */
final class RecordedCalls implements InvocationHandler {
  private final @Nullable Object next;

  private long count;

  /** A hash of the marks in their order. There may be millions of marks, so none is stored. */
  private long order;

  RecordedCalls(@Nullable Object next) {
    this.next = next;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method meter, Object @Nullable [] arguments)
      throws Throwable {
    count++;
    order = order * 31 + meter.getName().hashCode();
    if (next != null) {
      try {
        meter.invoke(next);
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }
    return null;
  }

  boolean sameAs(RecordedCalls other) {
    return count == other.count && order == other.order;
  }
}
