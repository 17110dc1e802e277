// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.testing.PageCache;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of a segment, from the disk and from the cache. */
class ScrubSegmentTest {
  private static final int BYTES = 6 * Chunks.CHUNK_BYTES + 1234;
  private static final int BLOCK_BYTES = 4096;

  @TempDir private Path directory;
  private final Random random = new Random(5);
  private final byte[] bytes = new byte[BYTES];
  private final ReadCounts counts = new ReadCounts();
  private final Chunks chunks = new Chunks();
  private Path file;

  @BeforeEach
  void write() throws IOException {
    random.nextBytes(bytes);
    file = Files.write(directory.resolve("00000000000000000000.log"), bytes);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private ScrubSegment open() throws IOException {
    ByteRate rate = Objects.requireNonNull(ByteRate.parse("100GB"));
    Pace pace = new Pace(rate, ScrubClock.SYSTEM, () -> false, () -> {});
    ScrubSegment segment =
        new ScrubSegment(
            file,
            null,
            BLOCK_BYTES,
            new ScrubSegment.Reads(chunks, pace, counts, ScrubClock.SYSTEM));
    segment.open();
    return segment;
  }

  private void makeOld() throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
  }

  private static byte[] read(ScrubSegment segment, long position, int count) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(count);
    segment.read(target, position);
    return target.array();
  }

  /** The other tests pass if a file system has no direct reads. The JDKs of the tests have them. */
  @Test
  void theJdkHasDirectReads() {
    assertEquals("DIRECT", String.valueOf(ScrubSegment.DIRECT));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anyRange(boolean isOld) throws IOException {
    if (isOld) {
      makeOld();
    }
    try (ScrubSegment segment = open()) {
      for (int i = 0; i < 2000; i++) {
        int count = random.nextInt(i % 10 == 0 ? 2 * Chunks.CHUNK_BYTES : 5000);
        int from = random.nextInt(BYTES - count + 1);
        assertArrayEquals(
            Arrays.copyOfRange(bytes, from, from + count), read(segment, from, count));
      }
      assertArrayEquals(Arrays.copyOfRange(bytes, BYTES - 9, BYTES), read(segment, BYTES - 9, 9));
      assertThrows(EOFException.class, () -> read(segment, BYTES - 9, 10));
      assertThrows(EOFException.class, () -> read(segment, BYTES, 1));
    }
    ReadFrom from = counts.of(file.toString());
    assertTrue(isOld || from == ReadFrom.CACHE);
    assertEquals(0, counts.bytes(from == ReadFrom.DISK ? ReadFrom.CACHE : ReadFrom.DISK));
  }

  @Test
  void aSegmentIsReadFromTheDiskOnceInOrder() throws IOException {
    makeOld();
    try (ScrubSegment segment = open()) {
      for (int from = 0; from < BYTES; from += 1000) {
        read(segment, from, Math.min(1000, BYTES - from)); // the walk
        int behind = Math.max(0, from - Chunks.CHUNK_BYTES); // the check of the slice
        read(segment, behind, Math.min(1000, BYTES - behind));
      }
    }
    assertEquals(BYTES, counts.bytes(ReadFrom.DISK) + counts.bytes(ReadFrom.CACHE));
  }

  @Test
  void bytesThatAreAppendedAreReadAgain() throws IOException {
    try (ScrubSegment segment = open()) {
      read(segment, BYTES - 10, 10);
      Files.write(file, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
      segment.grow();
      assertArrayEquals(new byte[] {bytes[BYTES - 1], 1, 2, 3}, read(segment, BYTES - 1, 4));
    }
  }

  /** A broker may allocate the bytes of a segment before it writes them. */
  @Test
  void bytesThatAreWrittenInPlaceAreReadAgain() throws IOException {
    try (ScrubSegment segment = open()) {
      read(segment, BYTES - 10, 10);
      try (RandomAccessFile writer = new RandomAccessFile(file.toFile(), "rw")) {
        writer.seek(BYTES - 2);
        writer.write(new byte[] {1, 2});
      }
      segment.grow();
      assertArrayEquals(new byte[] {bytes[BYTES - 3], 1, 2}, read(segment, BYTES - 3, 3));
    }
  }

  @Test
  void aFileThatBecameShorterIsAnError() throws IOException {
    makeOld();
    try (ScrubSegment segment = open()) {
      try (RandomAccessFile writer = new RandomAccessFile(file.toFile(), "rw")) {
        writer.setLength(Chunks.CHUNK_BYTES + 100L);
      }
      assertThrows(EOFException.class, () -> read(segment, Chunks.CHUNK_BYTES, 101));
      assertThrows(EOFException.class, () -> read(segment, 3L * Chunks.CHUNK_BYTES, 1));
      assertThrows(EOFException.class, segment::checkNotShorter);
    }
  }

  private long resident() throws Exception {
    try {
      return PageCache.residentBytes(List.of(file));
    } catch (IOException | NumberFormatException missing) {
      return Assumptions.abort("no fincore on this machine");
    }
  }

  private void drop() throws Exception {
    try {
      PageCache.drop(List.of(file));
    } catch (IOException missing) {
      Assumptions.abort("no dd of GNU on this machine");
    }
  }

  @Test
  void directReadsLeaveThePageCacheAsItIs() throws Exception {
    drop();
    long before = resident();
    Assumptions.assumeTrue(before < BYTES / 2, "it could not be dropped");
    makeOld();
    try (ScrubSegment segment = open()) {
      Assumptions.assumeTrue(counts.of(file.toString()) == ReadFrom.DISK, "no direct reads here");
      assertArrayEquals(bytes, read(segment, 0, BYTES));
    }
    assertEquals(before, resident());
    PageCache.warm(List.of(file));
    long cached = resident();
    assertTrue(cached >= BYTES, () -> cached + " bytes");
    try (ScrubSegment segment = open()) {
      assertArrayEquals(bytes, read(segment, 0, BYTES));
    }
    assertEquals(cached, resident(), "what a broker has read stays");
  }
}
