// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/** The files of a partition, to be read by Kafka's reader and to be damaged. */
public final class StoredLog {
  static final int INDEX_ENTRY = 8;
  static final int TIME_INDEX_ENTRY = 12;
  static final int TXN_INDEX_ENTRY = 34;

  private final Path directory;

  public StoredLog(Path directory) {
    this.directory = directory;
  }

  /** A batch as Kafka's reader sees it. */
  record Batch(
      int position,
      int bytes,
      long base,
      long last,
      long producer,
      boolean isControl,
      boolean isTransactional) {}

  public Path directory() {
    return directory;
  }

  /** Returns the base offsets of the segments in order. */
  List<Long> bases() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".log"))
          .map(name -> Long.parseLong(name.substring(0, name.indexOf('.'))))
          .sorted()
          .toList();
    }
  }

  /** Makes all files below a directory old, so that an audit waits for no writer. */
  static void age(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.toList()) {
        Files.setLastModifiedTime(each, FileTime.from(Instant.EPOCH));
      }
    }
  }

  static String fileName(long offset, String suffix) {
    return String.format("%020d%s", offset, suffix);
  }

  /** Returns the name of a file of the i-th segment. */
  String name(int segment, String suffix) throws IOException {
    return fileName(bases().get(segment), suffix);
  }

  /** Returns a file of the i-th segment. */
  public Path file(int segment, String suffix) throws IOException {
    return directory.resolve(name(segment, suffix));
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  /** Returns the location of a fault in a file of the i-th segment. */
  String at(int segment, String suffix, long position) throws IOException {
    return name(segment, suffix) + "@" + position;
  }

  /** Returns the batches of the i-th segment. */
  List<Batch> batches(int segment) throws IOException {
    List<Batch> batches = new ArrayList<>();
    try (FileRecords records = FileRecords.open(file(segment, ".log").toFile(), false)) {
      int position = 0;
      for (RecordBatch batch : records.batches()) {
        batches.add(
            new Batch(
                position,
                batch.sizeInBytes(),
                batch.baseOffset(),
                batch.lastOffset(),
                batch.producerId(),
                batch.isControlBatch(),
                batch.isTransactional()));
        position += batch.sizeInBytes();
      }
    }
    return batches;
  }

  /** Returns the offsets of the abort markers of the i-th segment. */
  List<Long> abortMarkers(int segment) throws IOException {
    List<Long> offsets = new ArrayList<>();
    try (FileRecords records = FileRecords.open(file(segment, ".log").toFile(), false)) {
      for (RecordBatch batch : records.batches()) {
        boolean isAbort =
            batch.isControlBatch()
                && ControlRecordType.parse(batch.iterator().next().key())
                    == ControlRecordType.ABORT;
        if (isAbort) {
          offsets.add(batch.baseOffset());
        }
      }
    }
    return offsets;
  }

  /** Changes bytes of a file. */
  public void edit(Path file, Consumer<ByteBuffer> change) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    change.accept(ByteBuffer.wrap(bytes));
    Files.write(file, bytes);
  }

  /** Changes a batch and makes its checksum right again. */
  void editBatch(int segment, Batch batch, Consumer<ByteBuffer> change) throws IOException {
    edit(
        file(segment, ".log"),
        all -> {
          ByteBuffer bytes = Batches.copy(all.slice(batch.position(), batch.bytes()));
          change.accept(bytes);
          all.put(batch.position(), Batches.fixCrc(bytes), 0, batch.bytes());
        });
  }

  private static int end(Batch batch) {
    return batch.position() + batch.bytes();
  }

  /** Overwrites a part of a file. */
  void fill(Path file, int from, int to) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, from, to, (byte) 0x55);
    Files.write(file, bytes);
  }

  /** Keeps the first bytes of a file. */
  void truncate(Path file, long bytes) throws IOException {
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), (int) bytes));
  }

  void append(Path file, byte... bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.APPEND, StandardOpenOption.CREATE);
  }

  /** Takes a part of a file out. */
  void cut(Path file, int from, int to) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, from));
    append(file, Arrays.copyOfRange(bytes, to, bytes.length));
  }

  void cut(int segment, Batch batch) throws IOException {
    cut(file(segment, ".log"), batch.position(), end(batch));
  }

  /** Inserts a copy of a part of a file at a position. */
  void copy(Path file, int from, int to, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, at));
    append(file, Arrays.copyOfRange(bytes, from, to));
    append(file, Arrays.copyOfRange(bytes, at, bytes.length));
  }

  byte[] bytes(int segment, Batch batch) throws IOException {
    byte[] all = Files.readAllBytes(file(segment, ".log"));
    return Arrays.copyOfRange(all, batch.position(), end(batch));
  }

  /** Deletes the indexes of a segment, which a broker would rebuild. */
  void deleteIndexes(int segment) throws IOException {
    Files.deleteIfExists(file(segment, ".index"));
    Files.deleteIfExists(file(segment, ".timeindex"));
    Files.deleteIfExists(file(segment, ".txnindex"));
  }

  void deleteSnapshots() throws IOException {
    for (String name : snapshots()) {
      Files.delete(file(name));
    }
  }

  /** Returns the names of the producer snapshots in order. */
  List<String> snapshots() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".snapshot"))
          .sorted()
          .toList();
    }
  }

  /** Renames the files of a segment. */
  void rename(int segment, long base) throws IOException {
    long old = bases().get(segment);
    for (String suffix : List.of(".log", ".index", ".timeindex", ".txnindex")) {
      Path file = directory.resolve(fileName(old, suffix));
      if (Files.exists(file)) {
        Files.move(file, directory.resolve(fileName(base, suffix)));
      }
    }
  }

  /** Deletes the files of a segment, and the snapshot before it. */
  public void delete(int segment) throws IOException {
    long base = bases().get(segment);
    for (String suffix : List.of(".log", ".index", ".timeindex", ".txnindex", ".snapshot")) {
      Files.deleteIfExists(directory.resolve(fileName(base, suffix)));
    }
  }

  /** Copies a directory. */
  public static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  /**
   * Makes a directory equal to another one. Its files stay and are written in place: ext4 is slow
   * at new files if many were deleted a moment ago, and flushes a file that is truncated first.
   */
  static void restore(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.walk(to)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Path original = from.resolve(to.relativize(file).toString());
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
            ? !Files.isDirectory(original)
            : Files.isSymbolicLink(file) || !Files.isRegularFile(original)) {
          Files.delete(file);
        }
      }
    }
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          byte[] bytes = Files.readAllBytes(file);
          try (FileChannel out =
              FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(bytes));
            out.truncate(bytes.length);
          }
        }
      }
    }
  }

  /** Returns the index in the header of a batch where its attributes are. */
  static int attributes() {
    return BatchLayout.ATTRIBUTES_OFFSET + 1;
  }
}
