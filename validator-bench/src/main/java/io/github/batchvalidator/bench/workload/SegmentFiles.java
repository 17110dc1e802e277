// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Log segments of any size, for {@code ./check}. */
public final class SegmentFiles {
  private SegmentFiles() {}

  /**
   * Makes segments out of one.
   *
   * @param args see {@link #fill}: the directory, the file of the segment, how many, the least size
   *     of each
   * @throws IOException if a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    byte[] segment = Files.readAllBytes(Path.of(args[1]));
    fill(Path.of(args[0]), segment, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
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
}
