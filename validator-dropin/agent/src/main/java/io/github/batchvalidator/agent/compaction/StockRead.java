// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A trial of Kafka's own reader on one batch, with all errors caught. It reads what Kafka's cleaner
 * reads of each batch: the records and their keys. The same error in the cleaner would end its
 * thread. Not thread-safe.
 */
final class StockRead {
  private static final String PACKAGE = "org.apache.kafka.common.record.internal.";
  private static final String PACKAGE_BEFORE_4_3 = "org.apache.kafka.common.record.";

  private final @Nullable Calls calls = Calls.find();

  /**
   * {@return what Kafka throws when it reads the records of a batch, or null if it reads them}
   *
   * @param batch the bytes of the batch and nothing else
   */
  @Nullable Throwable failure(ByteBuffer batch) {
    if (calls == null) {
      return null;
    }
    try {
      calls.read(batch);
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause();
    } catch (Throwable e) { // an error is what the trial looks for
      return e;
    }
  }

  /** The methods of Kafka, whose package depends on the version. */
  private record Calls(Method readable, Method batches, Method open, Object buffers, Method key) {

    /** Returns the methods, or null if a class or a method is missing. */
    static @Nullable Calls find() {
      try {
        return in(PACKAGE);
      } catch (ReflectiveOperationException | LinkageError e) {
        return findBefore();
      }
    }

    private static @Nullable Calls findBefore() {
      try {
        return in(PACKAGE_BEFORE_4_3);
      } catch (ReflectiveOperationException | LinkageError e) {
        return null;
      }
    }

    private static Calls in(String name) throws ReflectiveOperationException {
      Class<?> records = Class.forName(name + "MemoryRecords");
      Class<?> suppliers = Class.forName("org.apache.kafka.common.utils.BufferSupplier");
      return new Calls(
          records.getMethod("readableRecords", ByteBuffer.class),
          records.getMethod("batches"),
          Class.forName(name + "RecordBatch").getMethod("streamingIterator", suppliers),
          suppliers.getMethod("create").invoke(null),
          Class.forName(name + "Record").getMethod("key"));
    }

    /** Reads all records as the cleaner does, and frees the codec's memory. */
    void read(ByteBuffer bytes) throws ReflectiveOperationException, IOException {
      for (Object batch : (Iterable<?>) batches.invoke(readable.invoke(null, bytes))) {
        try (Closeable opened = (Closeable) open.invoke(batch, buffers)) {
          Iterator<?> records = (Iterator<?>) opened;
          while (records.hasNext()) {
            key.invoke(records.next());
          }
        }
      }
    }
  }
}
