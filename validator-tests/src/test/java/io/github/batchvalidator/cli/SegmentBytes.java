// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** A segment in memory: batches with ascending offsets, to be damaged and written to a file. */
final class SegmentBytes {
  private static final List<Codec> CODECS = List.of(Codec.values());

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<Integer> positions = new ArrayList<>();
  private long nextOffset;

  SegmentBytes() {}

  /** Returns a segment of batches with some records each, sizes differing, codecs taking turns. */
  static SegmentBytes of(int batches, int recordsPerBatch) {
    SegmentBytes segment = new SegmentBytes();
    for (int i = 0; i < batches; i++) {
      segment.add(batch(CODECS.get(i % CODECS.size()), recordsPerBatch, i));
    }
    return segment;
  }

  /** Returns a batch of records with values that do not compress to nothing. */
  static ByteBuffer batch(Codec codec, int records, int seed) {
    Random random = new Random(seed);
    SimpleRecord[] all = new SimpleRecord[records];
    for (int i = 0; i < records; i++) {
      byte[] value = new byte[20 + random.nextInt(40)];
      random.nextBytes(value);
      all[i] = new SimpleRecord(Batches.nowMs(), null, value);
    }
    return Batches.of(codec, all);
  }

  /** Returns a resource of the tests or of the program. */
  static byte[] resource(String name) {
    try (InputStream in = SegmentBytes.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Appends a batch at the next offset. */
  SegmentBytes add(ByteBuffer batch) {
    return addAt(nextOffset, batch);
  }

  /** Appends a batch with the given base offset. */
  SegmentBytes addAt(long baseOffset, ByteBuffer batch) {
    ByteBuffer copy = Batches.copy(batch).putLong(0, baseOffset);
    nextOffset = baseOffset + copy.getInt(BatchLayout.LAST_OFFSET_DELTA_OFFSET) + 1;
    positions.add(bytes.size());
    bytes.write(copy.array(), copy.arrayOffset(), copy.limit());
    return this;
  }

  /** Appends bytes that are no batch. */
  SegmentBytes addRaw(byte[] raw) {
    bytes.writeBytes(raw);
    return this;
  }

  /** Returns where the i-th batch starts, or the end of the last one. */
  int position(int i) {
    return i == positions.size() ? bytes.size() : positions.get(i);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }

  /**
   * Writes a segment, changed or not, into a directory, as a file that is not new. After a new file
   * the check waits for a broker that may still write to it.
   */
  static Path write(Path directory, String name, byte[] content) {
    try {
      Files.createDirectories(directory);
      Path file = directory.resolve(name);
      Files.deleteIfExists(file); // ext4 flushes a file that is truncated and written again
      Files.write(file, content);
      return Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
