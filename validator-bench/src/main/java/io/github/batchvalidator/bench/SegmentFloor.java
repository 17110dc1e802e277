// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.scan.BatchIterator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * What {@code ./check} over a directory of lz4 segments is held against: their bare decompression
 * out of memory, one thread per processor. Makes the directory too.
 */
public final class SegmentFloor {
  private static final int FILES = 8;
  private static final int FILE_BYTES = 1 << 27;
  private static final int PASSES = 7;
  private static final int FRAME_HEADER_BYTES = 7;
  private static final int BLOCK_BYTES = 1 << 16;

  private SegmentFloor() {}

  /**
   * Prints plain megabytes per second, once per pass; or only makes one segment of any codec.
   *
   * @param args a directory of lz4 segments and, to fill it first, the segment to repeat in it; or
   *     a directory that does not exist, a segment, and the least size in bytes of the only one to
   *     make
   * @throws IOException if a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    if (args.length > 2) {
      fill(directory, Files.readAllBytes(Path.of(args[1])), 1, Integer.parseInt(args[2]));
      return;
    }
    if (args.length > 1) {
      fill(directory, Files.readAllBytes(Path.of(args[1])), FILES, FILE_BYTES);
    }
    List<byte[]> segments;
    try (Stream<Path> files = Files.list(directory)) {
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
   * Fills a directory with the batches of a segment, again and again, offsets ascending.
   *
   * @param directory is created
   * @param segment its batches; their base offsets are overwritten
   * @param files how many
   * @param bytes the least size of each
   * @throws IOException if a file cannot be written
   */
  public static void fill(Path directory, byte[] segment, int files, int bytes) throws IOException {
    Files.createDirectories(directory);
    ByteBuffer batches = ByteBuffer.wrap(segment);
    long offset = 0;
    for (int i = 0; i < files; i++) {
      Path file = directory.resolve("%020d.log".formatted(offset));
      try (FileChannel out =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        while (out.size() < bytes) {
          offset = renumber(batches, offset);
          out.write(batches.rewind());
        }
      }
    }
  }

  private static long renumber(ByteBuffer batches, long first) {
    BatchIterator each = new BatchIterator().wrap(batches, 0, batches.capacity());
    BatchHeader header = new BatchHeader();
    long offset = first;
    while (each.next()) {
      BigEndian.putLong(batches, each.start() + BatchLayout.BASE_OFFSET_OFFSET, offset);
      offset = header.read(batches, each.start()).lastOffset() + 1;
    }
    return offset;
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
