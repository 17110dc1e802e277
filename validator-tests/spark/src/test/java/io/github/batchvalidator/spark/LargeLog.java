// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** A partition of segments whose batches differ in their offsets only. */
final class LargeLog {
  private static final int RECORDS = 100;
  private static final int VALUE_BYTES = 200;
  private static final int DIFFERENT_BYTES = 16;

  /** One in so many batches is damaged. */
  private static final int DAMAGED = 500;

  private LargeLog() {}

  /**
   * Writes segments of gzip, which take long to check, with a damaged batch here and there.
   *
   * @param directory the directory of the partition
   * @param segments the number of segments
   * @param bytes the least size of a segment
   */
  static void write(Path directory, int segments, long bytes) {
    try {
      Files.createDirectories(directory);
      ByteBuffer batch = batch();
      long offset = 0;
      long number = 0;
      for (int i = 0; i < segments; i++) {
        Path file = directory.resolve(String.format("%020d.log", offset));
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
          for (long written = 0; written < bytes; written += batch.limit()) {
            byte[] copy = Batches.copy(batch).putLong(0, offset).array();
            if (++number % DAMAGED == 0) {
              copy[BatchLayout.HEADER_BYTES + 1] ^= 1;
            }
            out.write(copy);
            offset += RECORDS;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ByteBuffer batch() {
    Random random = new Random(38);
    SimpleRecord[] records = new SimpleRecord[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      byte[] value = new byte[VALUE_BYTES];
      for (int j = 0; j < VALUE_BYTES; j++) {
        value[j] = (byte) ('a' + random.nextInt(DIFFERENT_BYTES));
      }
      records[i] = new SimpleRecord(Batches.nowMs(), null, value);
    }
    return Batches.of(Codec.GZIP, records);
  }
}
