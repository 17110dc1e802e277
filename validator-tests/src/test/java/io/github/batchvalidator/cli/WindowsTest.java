// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.SliceCheck;
import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.print.JsonReport;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.walk.SegmentWalk;
import io.github.batchvalidator.audit.walk.Slice;
import io.github.batchvalidator.audit.walk.SliceResult;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.BytesSegment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowsTest {
  /** Windows that nearly every batch straddles, then grow, then give way to mapping. */
  private static final List<Settings> SMALL =
      List.of(
          settings(1, 64, 1 << 20, Long.MAX_VALUE),
          settings(1, 100, 3000, 5000),
          settings(2, 64, 64, 1),
          settings(3, 1000, 1000, 700),
          settings(4, 1 << 16, 1 << 16, 20_000));

  @TempDir private Path directory;

  private static Settings settings(int threads, int window, int maxWindow, long slice) {
    return new Settings(
        threads, window, maxWindow, slice, new SegmentRules(null, PolicySection.KAFKA));
  }

  private void assertSameAsUsual(byte[] bytes) throws InterruptedException {
    Path path = SegmentBytes.write(directory, "some.log", bytes);
    String expected = Run.with(Run.USUAL, path).out();
    for (Settings settings : SMALL) {
      assertEquals(expected, Run.with(settings, path).out(), settings.toString());
    }
  }

  @Test
  void cleanSegment() throws InterruptedException {
    assertSameAsUsual(SegmentBytes.resource("/segments/txn-zstd.log"));
  }

  @Test
  void damagedSegment() throws InterruptedException {
    byte[] bytes = SegmentBytes.resource("/segments/txn-lz4.log");
    for (int at = 7000; at < bytes.length; at += 20_011) {
      bytes[at] ^= 4;
    }
    assertSameAsUsual(Arrays.copyOf(bytes, bytes.length - 30));
  }

  /** More faults than a slice keeps, in more slices than may be ahead of the first. */
  @Test
  void manyFaultsInManySlices() throws InterruptedException {
    SegmentBytes segment = new SegmentBytes();
    ByteBuffer batch = SegmentBytes.batch(Codec.NONE, 1, 9);
    batch.put(batch.limit() - 1, (byte) (batch.get(batch.limit() - 1) ^ 1));
    for (int i = 0; i < 3000; i++) {
      segment.add(batch);
    }
    assertSameAsUsual(segment.toByteArray());
    assertEquals(3000, Run.with(Run.USUAL, directory.resolve("some.log")).faults().size());
  }

  @Test
  void batchLargerThanEveryWindow() throws InterruptedException {
    SegmentBytes segment = new SegmentBytes();
    for (Codec codec : Codec.values()) {
      segment.add(SegmentBytes.batch(codec, 3, 1)).add(SegmentBytes.batch(codec, 4000, 2));
    }
    assertSameAsUsual(segment.toByteArray());
  }

  @Test
  void orderIsCheckedAcrossSlices() throws InterruptedException {
    ByteBuffer batch = SegmentBytes.batch(Codec.NONE, 4, 9);
    SegmentBytes segment = new SegmentBytes();
    for (int i = 0; i < 50; i++) {
      segment.addAt(i % 7 == 3 ? 1 : 4L * i, batch);
    }
    assertSameAsUsual(segment.toByteArray());
    assertEquals(7, Run.with(Run.USUAL, directory.resolve("some.log")).faults().size());
  }

  /** A length field without the bytes it declares must not decide how much memory is allocated. */
  @Test
  void hugeLengthInASmallFile() throws InterruptedException {
    SegmentBytes segment = SegmentBytes.of(3, 1);
    byte[] head = SegmentBytes.batch(Codec.LZ4, 1, 1).putInt(8, Integer.MAX_VALUE - 12).array();
    assertSameAsUsual(segment.addRaw(head).toByteArray());
  }

  @Test
  void nothingIsAllocatedPerBatch() throws Exception {
    Path few = SegmentBytes.write(directory, "few.log", SegmentBytes.of(100, 3).toByteArray());
    Path many = SegmentBytes.write(directory, "many.log", SegmentBytes.of(4000, 3).toByteArray());
    SliceMerge merge = new SliceMerge(new JsonReport(new PrintWriter(new StringWriter())), false);
    try (SliceCheck check = new SliceCheck(Run.USUAL, bytes -> {})) {
      allocated(check, merge, many);
      long ofFew = allocated(check, merge, few);
      long ofMany = allocated(check, merge, many);
      assertTrue(ofMany - ofFew < 3900, ofFew + " bytes for few, " + ofMany + " for many batches");
    }
  }

  /** A full result waits for its turn, and meanwhile its thread would not check. */
  @Test
  void sliceOfSmallBatchesEndsBeforeItsResultIsFull() throws IOException {
    FileSegment segment =
        new FileSegment(
            SegmentBytes.write(directory, "many.log", SegmentBytes.of(5000, 1).toByteArray()));
    segment.open();
    SegmentWalk walk = new SegmentWalk(segment, Long.MAX_VALUE);
    Slice first = walk.next(0);
    Slice second = walk.next(1);
    segment.close();
    assertEquals(SegmentBytes.of(SliceResult.MAX_ENTRIES - 1, 1).toByteArray().length, first.to());
    assertEquals(first.to(), second.from());
    assertTrue(second.last());
  }

  private static long allocated(SliceCheck check, SliceMerge merge, Path path) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    FileSegment segment = new FileSegment(path);
    segment.open();
    long before = threads.getCurrentThreadAllocatedBytes();
    SliceResult result = new SliceResult(new SegmentWalk(segment, Long.MAX_VALUE).next(0));
    check.check(result, merge);
    long after = threads.getCurrentThreadAllocatedBytes();
    segment.close();
    assertEquals(0, result.tally().faults());
    return after - before;
  }

  @Test
  void fileThatBecomesShorterIsAnError() throws IOException {
    byte[] bytes = SegmentBytes.of(20, 10).toByteArray();
    Path path = SegmentBytes.write(directory, "some.log", bytes);
    FileSegment segment = new FileSegment(path);
    segment.open();
    Slice slice = new SegmentWalk(segment, Long.MAX_VALUE).next(0);
    Files.write(path, Arrays.copyOf(bytes, 1000));
    SliceResult result = new SliceResult(slice);
    String why = String.valueOf(checkFails(result).getMessage());
    segment.close();
    assertTrue(why.startsWith("the file became shorter while it was read"), why);
  }

  @Test
  void bytesBeforeAnErrorAreChecked() throws InterruptedException {
    SegmentBytes segment = SegmentBytes.of(200, 10);
    byte[] bytes = segment.toByteArray();
    bytes[segment.position(3) + BatchLayout.HEADER_BYTES] ^= 1;
    List<String> outputs = new ArrayList<>();
    for (long slice : new long[] {Long.MAX_VALUE, 5000}) {
      for (int threads = 1; threads <= 3; threads++) {
        for (int window : new int[] {100, 1 << 18}) {
          BadSector bad = new BadSector(bytes, segment.position(100) + BatchLayout.PREFIX_BYTES);
          Run run = Run.with(settings(threads, window, 1 << 20, slice), bad);
          assertEquals(List.of("BATCH_CRC_MISMATCH@" + segment.position(3)), run.faults());
          assertEquals(100, run.summary().get("batches").asInt(), run.out());
          assertTrue(run.out().contains("bad sector"), run.out());
          outputs.add(run.out());
        }
      }
    }
    assertEquals(1, Set.copyOf(outputs).size(), outputs::toString);
  }

  @Test
  void anErrorStopsOnlyLaterSlices() throws Exception {
    byte[] bytes = SegmentBytes.of(20, 10).toByteArray();
    BadSector sound = new BadSector(bytes, bytes.length);
    sound.open();
    SegmentWalk walk = new SegmentWalk(sound, bytes.length / 4);
    SliceMerge merge = new SliceMerge(new JsonReport(new PrintWriter(new StringWriter())), false);
    sound.abandonAfter(1);
    try (SliceCheck check = new SliceCheck(Run.USUAL, read -> {})) {
      for (int i = 0; i < 3; i++) {
        SliceResult result = new SliceResult(walk.next(i));
        check.check(result, merge);
        assertEquals(i <= 1, result.hasOffsets(), "slice " + i);
      }
    }
  }

  /** Bytes that cannot be read from somewhere on. */
  private static final class BadSector extends BytesSegment {
    private final int badFrom;

    BadSector(byte[] bytes, int badFrom) {
      super("some.log", bytes);
      this.badFrom = badFrom;
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      if (position + target.remaining() > badFrom) {
        throw new IOException("bad sector");
      }
      super.read(target, position);
    }

    @Override
    public ByteBuffer map(long position, int length) throws IOException {
      throw new IOException("bad sector");
    }
  }

  private static IOException checkFails(SliceResult result) {
    SliceMerge merge = new SliceMerge(new JsonReport(new PrintWriter(new StringWriter())), false);
    try (SliceCheck check = new SliceCheck(Run.USUAL, bytes -> {})) {
      return assertThrows(IOException.class, () -> check.check(result, merge));
    }
  }
}
