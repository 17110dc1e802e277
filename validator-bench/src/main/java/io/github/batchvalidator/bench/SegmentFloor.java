// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.bench.workload.SegmentFiles;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * What {@code ./check} over a directory of lz4 segments is held against: their bare decompression
 * out of memory, one thread per processor. {@link SegmentFiles} makes the directory.
 */
public final class SegmentFloor {
  private static final int PASSES = 7;
  private static final int FRAME_HEADER_BYTES = 7;
  private static final int BLOCK_BYTES = 1 << 16;

  private SegmentFloor() {}

  /**
   * Prints plain megabytes per second, once per pass.
   *
   * @param args a directory of lz4 segments
   * @throws IOException if a file cannot be read
   */
  public static void main(String[] args) throws IOException {
    List<byte[]> segments;
    try (Stream<Path> files = Files.list(Path.of(args[0]))) {
      segments = files.sorted().map(SegmentFloor::read).toList();
    }
    for (int pass = 0; pass < PASSES; pass++) {
      long start = System.nanoTime();
      long bytes =
          IntStream.range(0, segments.size())
              .parallel()
              .mapToLong(i -> decompress(segments.get(i)))
              .sum();
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf("%.3f s, %.0f MB/s of plain bytes%n", seconds, bytes / 1e6 / seconds);
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Decompresses every batch of a segment of lz4 frames with blocks of 64 KiB.
   *
   * @param segment the bytes of the file
   * @return plain bytes in all
   */
  public static long decompress(byte[] segment) {
    LZ4SafeDecompressor library = LZ4Factory.nativeInstance().safeDecompressor();
    byte[] plain = new byte[BLOCK_BYTES];
    ByteBuffer bytes = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
    BatchIterator batches = new BatchIterator().wrap(bytes, 0, segment.length);
    long sum = 0;
    while (batches.next()) {
      int at = batches.start() + BatchLayout.HEADER_BYTES + FRAME_HEADER_BYTES;
      for (int size = bytes.getInt(at); size != 0; size = bytes.getInt(at)) {
        int stored = size & Integer.MAX_VALUE;
        at += Integer.BYTES;
        sum += size < 0 ? stored : library.decompress(segment, at, stored, plain, 0, BLOCK_BYTES);
        at += stored;
      }
    }
    return sum;
  }
}
