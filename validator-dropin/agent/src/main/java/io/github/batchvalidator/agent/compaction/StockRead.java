// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A trial of Kafka's own reader on one batch, with all errors caught. The same error in Kafka's
 * cleaner would end its thread. Not thread-safe.
 */
final class StockRead {
  private static final String NAME = "org.apache.kafka.common.record.internal.MemoryRecords";
  private static final String NAME_BEFORE_4_3 = "org.apache.kafka.common.record.MemoryRecords";

  private final @Nullable Method readable;
  private final @Nullable Method records;

  StockRead() {
    Class<?> found = type(NAME);
    if (found == null) {
      found = type(NAME_BEFORE_4_3);
    }
    readable = found == null ? null : method(found, "readableRecords", ByteBuffer.class);
    records = found == null ? null : method(found, "records");
  }

  private static @Nullable Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private static @Nullable Method method(Class<?> type, String name, Class<?>... parameters) {
    try {
      return type.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /**
   * {@return what Kafka throws when it reads the records of a batch, or null if it reads them}
   *
   * @param batch the bytes of the batch and nothing else
   */
  @Nullable Throwable failure(ByteBuffer batch) {
    if (readable == null || records == null) {
      return null;
    }
    try {
      Iterable<?> all = (Iterable<?>) records.invoke(readable.invoke(null, batch));
      all.forEach(record -> {}); // reads them
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause();
    } catch (Throwable e) { // an error is what the trial looks for
      return e;
    }
  }
}
