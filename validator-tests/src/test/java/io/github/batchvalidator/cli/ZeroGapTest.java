// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.SegmentWalk;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage between two batches, which a crash of the file system can leave as gigabytes of zeros. */
class ZeroGapTest {
  private static final long GAP_BYTES = 256 << 20;

  /** Bytes that are read more than once: some windows of the search and the walk. */
  private static final int MORE = 1 << 20;

  /** Of processor time. A search byte by byte takes 20 times that of plain reading and more. */
  private static final int TIMES_PLAIN_READING = 8;

  private static final int ROUNDS = 5;
  private static final int EPOCH_OFFSET = BatchLayout.PARTITION_LEADER_EPOCH_OFFSET;
  private static final int READ_BYTES = 1 << 17;
  private static final int SEARCH_WINDOW_BYTES = 1 << 18;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @TempDir private Path directory;

  private final byte[] before = SegmentBytes.of(3, 4).toByteArray();

  /** No byte before its magic is above 127, so that none but the magic stops a word. */
  private final byte[] behind =
      new SegmentBytes()
          .addAt(100, SegmentBytes.batch(Codec.NONE, 1, 4).putInt(EPOCH_OFFSET, 0))
          .toByteArray();

  @Test
  void aGapOfZerosIsReadOnce() throws IOException {
    assertReadOnce(new byte[0]);
  }

  /** The search, not the first look at the zeros, has to pass over them. */
  @Test
  void aGapAfterOtherDamageIsReadOnce() throws IOException {
    assertReadOnce(new byte[] {-1});
  }

  /** The zeros might have been a tail together with the batch. */
  @Test
  void aGapAfterADamagedBatchIsReadOnce() throws IOException {
    before[before.length - 1] ^= 1;
    assertReadOnce(new byte[0]);
  }

  private void assertReadOnce(byte[] startOfGap) throws IOException {
    CountedSegment counted = new CountedSegment(sparse(startOfGap));
    assertGoesOnBehindGap(counted);
    assertTrue(counted.read < counted.size() + MORE, counted.read + " of " + counted.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void takesHardlyLongerThanPlainReading(int firstByte) throws IOException {
    Path path = sparse(new byte[] {(byte) firstByte});
    double least = Double.MAX_VALUE;
    for (int i = 0; i < ROUNDS && least >= TIMES_PLAIN_READING; i++) {
      long plain = readPlainly(path);
      FileSegment segment = new FileSegment(path);
      long start = THREADS.getCurrentThreadCpuTime();
      assertGoesOnBehindGap(segment);
      long searched = THREADS.getCurrentThreadCpuTime() - start;
      least = Math.min(least, (double) searched / plain);
    }
    assertTrue(least < TIMES_PLAIN_READING, least + " times plain reading");
  }

  /** At all positions of a word, and of the window, that the next batch can have. */
  @Test
  void nextBatchIsFoundAtItsByte() {
    byte[] odd = {1, 2, 3, 4, (byte) 0x80, (byte) 0x82}; // as a length more than the file has
    Random random = new Random(5);
    for (int i = 0; i < 80; i++) {
      int aroundWindow = SEARCH_WINDOW_BYTES - 100 + i;
      assertFoundBehind(new byte[17 + i]);
      assertFoundBehind(filled(17 + i, (byte) -1));
      assertFoundBehind(filled(aroundWindow, (byte) 3));
      byte[] mixed = new byte[aroundWindow];
      for (int at = 0; at < mixed.length; at++) {
        mixed[at] = odd[random.nextInt(odd.length)];
      }
      assertFoundBehind(mixed);
    }
  }

  /** The first byte that is not 0 is the last one of the length. */
  @Test
  void theFirstOffsetIsFoundAfterZeros() {
    byte[] first = new SegmentBytes().add(SegmentBytes.batch(Codec.NONE, 1, 4)).toByteArray();
    for (int zeros = 1; zeros < 100; zeros++) {
      byte[] all = new byte[zeros + first.length];
      System.arraycopy(first, 0, all, zeros, first.length);
      Run run = Run.ofBytes(all);
      assertEquals(List.of("SEGMENT_FRAMING_CORRUPT@0"), run.faults());
      assertEquals(zeros, run.objects("fault").get(0).get("skippedBytes").asInt());
    }
  }

  private static byte[] filled(int length, byte value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, value);
    return bytes;
  }

  private void assertFoundBehind(byte[] damage) {
    damage[8] = -1; // the length of a batch, if one started here
    byte[] all = Arrays.copyOf(before, before.length + damage.length + behind.length);
    System.arraycopy(damage, 0, all, before.length, damage.length);
    System.arraycopy(behind, 0, all, before.length + damage.length, behind.length);
    Run run = Run.ofBytes(all);
    JsonNode fault = run.objects("fault").get(0);
    assertEquals("SEGMENT_FRAMING_CORRUPT", fault.get("reason").asText());
    assertEquals(before.length, fault.get("position").asInt());
    assertEquals(damage.length, fault.get("skippedBytes").asInt());
    assertEquals(4, run.summary().get("batches").asInt());
  }

  private Path sparse(byte[] startOfGap) throws IOException {
    Path path = SegmentBytes.write(directory, "some.log", before);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(before.length);
      file.write(startOfGap);
      file.seek(before.length + GAP_BYTES);
      file.write(behind);
    }
    return path;
  }

  private void assertGoesOnBehindGap(Segment segment) throws IOException {
    segment.open();
    Fault fault = new SegmentWalk(segment, Long.MAX_VALUE).next(0).fault();
    segment.release();
    assertNotNull(fault);
    assertEquals(before.length + GAP_BYTES, fault.resumeAt());
  }

  private static long readPlainly(Path path) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    long start = THREADS.getCurrentThreadCpuTime();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      int bytes = 0;
      while (bytes >= 0) {
        bytes = channel.read(buffer.clear());
      }
    }
    return THREADS.getCurrentThreadCpuTime() - start;
  }

  private static final class CountedSegment extends Segment {
    private final FileChannel channel;
    private long read;

    CountedSegment(Path path) throws IOException {
      super("some.log", "some.log");
      channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    @Override
    public void openBytes() {}

    @Override
    public long currentSize() throws IOException {
      return channel.size();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      read += target.remaining();
      channel.read(target, position);
    }

    @Override
    public ByteBuffer map(long position, int bytes) throws IOException {
      throw new IOException("nobody maps");
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
