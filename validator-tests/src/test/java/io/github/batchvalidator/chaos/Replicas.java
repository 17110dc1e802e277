// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the replicas of a partition byte by byte, batch by batch, up to the high watermark.
 *
 * <p>Not for compacted topics: each broker compacts on its own.
 */
final class Replicas {
  private static final int LENGTH_OFFSET = 8;
  private static final int HEAD_BYTES = 12;

  private final List<String> faults = new ArrayList<>();
  private long batches;
  private long bytes;

  /**
   * Compares all replicas with the first one.
   *
   * @param folders of one partition, on each broker
   * @param highWatermark the offset after the last record that all have to have
   * @throws IOException if a segment cannot be read
   */
  void compare(List<Path> folders, long highWatermark) throws IOException {
    Log first = new Log(folders.get(0));
    List<Log> others = new ArrayList<>();
    for (Path each : folders.subList(1, folders.size())) {
      others.add(new Log(each));
    }
    boolean same = true;
    ByteBuffer batch = first.next(highWatermark);
    while (batch != null && same) {
      batches++;
      bytes += batch.remaining();
      for (Log other : others) {
        same &= isSame(batch, other.next(highWatermark), folders.get(0), other);
      }
      batch = first.next(highWatermark);
    }
    for (Log other : others) {
      if (same && other.next(highWatermark) != null) {
        faults.add(other.folder + " has more than " + folders.get(0));
      }
    }
    if (same && first.end < highWatermark) {
      faults.add(folders.get(0) + " ends at " + first.end + ", before " + highWatermark);
    }
  }

  private boolean isSame(ByteBuffer batch, @Nullable ByteBuffer copy, Path folder, Log other) {
    boolean same = batch.equals(copy);
    if (!same) {
      String found = copy == null ? "none" : "another at " + copy.getLong(0);
      faults.add(
          folder + " has a batch at " + batch.getLong(0) + ", " + other.folder + " " + found);
    }
    return same;
  }

  /** Returns the batches of a replica that begin before an offset. */
  static List<ByteBuffer> batches(Path folder, long before) throws IOException {
    List<ByteBuffer> all = new ArrayList<>();
    Log log = new Log(folder);
    for (ByteBuffer each = log.next(before); each != null; each = log.next(before)) {
      all.add(each);
    }
    return all;
  }

  List<String> faults() {
    return faults;
  }

  /** Returns the number of compared batches of first replicas. */
  long batches() {
    return batches;
  }

  /** Returns the number of their bytes. */
  long bytes() {
    return bytes;
  }

  /** The batches of a replica, in the order of their segments. */
  private static final class Log {
    private static final int LAST_OFFSET_DELTA_OFFSET = 23;

    private final Path folder;
    private final Deque<Path> segments = new ArrayDeque<>();
    private ByteBuffer segment = ByteBuffer.allocate(0);
    private long end;

    Log(Path folder) throws IOException {
      this.folder = folder;
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(each -> each.toString().endsWith(".log")).sorted().forEach(segments::add);
      }
    }

    /** Returns the next batch that begins before an offset. */
    @Nullable ByteBuffer next(long before) throws IOException {
      while (!segment.hasRemaining() && !segments.isEmpty()) {
        segment = ByteBuffer.wrap(Files.readAllBytes(segments.remove()));
      }
      if (segment.remaining() < HEAD_BYTES || segment.getLong(segment.position()) >= before) {
        return null;
      }
      int size = HEAD_BYTES + segment.getInt(segment.position() + LENGTH_OFFSET);
      if (size > segment.remaining()) {
        return null;
      }
      ByteBuffer batch = segment.slice(segment.position(), size);
      segment.position(segment.position() + size);
      end = batch.getLong(0) + batch.getInt(LAST_OFFSET_DELTA_OFFSET) + 1;
      return batch;
    }
  }
}
