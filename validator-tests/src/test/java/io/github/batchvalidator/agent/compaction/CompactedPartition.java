// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** A partition on disk: two segments to compact and an empty active one. */
final class CompactedPartition {
  /** The base offset of the second segment. */
  static final long SECOND = 50_000_000;

  private static final long ACTIVE = 100_000_000;
  private static final FileTime TIME = FileTime.fromMillis(1_600_000_000_000L);

  private final Path directory;
  private final ByteArrayOutputStream first = new ByteArrayOutputStream();
  private final ByteArrayOutputStream second = new ByteArrayOutputStream();

  CompactedPartition(Path directory) {
    this.directory = directory;
  }

  /** Adds a batch to the first segment; returns its position. */
  int first(ByteBuffer batch) {
    int position = first.size();
    first.writeBytes(bytes(batch));
    return position;
  }

  /** Adds a batch to the second segment; returns its position. */
  int second(ByteBuffer batch) {
    int position = second.size();
    second.writeBytes(bytes(batch));
    return position;
  }

  private static byte[] bytes(ByteBuffer batch) {
    byte[] bytes = new byte[batch.remaining()];
    batch.duplicate().get(bytes);
    return bytes;
  }

  /** Returns a batch as a producer writes it, at an offset. */
  static ByteBuffer batch(long offset, Codec codec, SimpleRecord... records) {
    return Batches.of(codec, records).putLong(0, offset);
  }

  static SimpleRecord put(String key, String value) {
    return new SimpleRecord(
        Batches.nowMs(),
        key.getBytes(StandardCharsets.UTF_8),
        value.getBytes(StandardCharsets.UTF_8));
  }

  static SimpleRecord delete(String key) {
    return new SimpleRecord(Batches.nowMs(), key.getBytes(StandardCharsets.UTF_8), null);
  }

  /** Writes the partition below a root; the same bytes each time. */
  Path write() throws IOException {
    Files.createDirectories(directory);
    segment(0, first.toByteArray());
    segment(SECOND, second.toByteArray());
    segment(ACTIVE, new byte[0]);
    return directory;
  }

  private void segment(long baseOffset, byte[] bytes) throws IOException {
    String name = String.format("%020d", baseOffset);
    Path log = Files.write(directory.resolve(name + ".log"), bytes);
    Files.setLastModifiedTime(log, TIME);
    // Kafka recovers a segment without an index.
    Files.write(directory.resolve(name + ".index"), new byte[0]);
  }

  /** Returns the bytes of both segments before compaction, by file name. */
  Map<String, String> original() {
    Map<String, String> logs = new TreeMap<>();
    logs.put(String.format("%020d.log", 0), text(first.toByteArray()));
    logs.put(String.format("%020d.log", SECOND), text(second.toByteArray()));
    logs.put(String.format("%020d.log", ACTIVE), "");
    return logs;
  }

  /** Returns the bytes of all segments, by file name, of a partition on disk. */
  static Map<String, String> logs(Path partition) throws IOException {
    Map<String, String> logs = new TreeMap<>();
    files(partition)
        .forEach(
            (name, bytes) -> {
              if (name.contains(".log")) {
                logs.put(name, bytes);
              }
            });
    return logs;
  }

  /** Returns the bytes of all files, by name. */
  static Map<String, String> files(Path partition) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (Path each : list(partition)) {
      files.put(each.getFileName().toString(), text(Files.readAllBytes(each)));
    }
    return files;
  }

  /** Returns the number of batches with a wrong CRC in all segments. */
  static int wrongChecksums(Path partition) throws IOException {
    int wrong = 0;
    for (Path each : list(partition)) {
      if (each.toString().endsWith(".log")) {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(each));
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(bytes).batches()) {
          wrong += batch.isValid() ? 0 : 1;
        }
      }
    }
    return wrong;
  }

  private static List<Path> list(Path partition) throws IOException {
    try (Stream<Path> all = Files.list(partition)) {
      return all.sorted().toList();
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
