// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** The records of a partition on disk as Kafka's own classes read them. */
final class StockRecords {
  /** The key of what cannot be read. */
  static final String UNREADABLE = "unreadable";

  private StockRecords() {}

  /**
   * Returns the last record of each key in the order of the files. What cannot be read is left out.
   */
  static Map<String, String> last(Path partition) throws IOException {
    Map<String, String> last = new TreeMap<>();
    for (Path each : segments(partition)) {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(each));
      try {
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(bytes).batches()) {
          for (Record record : batch) {
            if (record.hasValue()) {
              last.put(text(record.key()), text(record));
            } else {
              last.remove(text(record.key()));
            }
          }
        }
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        last.put(UNREADABLE, e.getClass().getName());
      }
    }
    return last;
  }

  private static String text(Record record) {
    return record.offset()
        + " at "
        + record.timestamp()
        + ": "
        + text(record.value())
        + " "
        + Arrays.toString(record.headers());
  }

  private static String text(@Nullable ByteBuffer bytes) {
    return bytes == null ? "null" : new String(Utils.toArray(bytes), StandardCharsets.ISO_8859_1);
  }

  /** Returns the segments of a partition. */
  static List<Path> segments(Path partition) throws IOException {
    try (Stream<Path> all = Files.list(partition)) {
      return all.filter(each -> each.toString().endsWith(".log")).sorted().toList();
    }
  }
}
