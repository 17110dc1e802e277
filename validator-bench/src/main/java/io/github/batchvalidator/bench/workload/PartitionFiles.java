// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A partition as a broker keeps it, of any size: segments with offset and time indexes, and batches
 * of idempotent producers that take turns. For {@code ./check}.
 */
public final class PartitionFiles {
  /** The default of a broker: an index gets an entry when so many bytes follow the last one. */
  private static final int INDEX_INTERVAL_BYTES = 4096;

  private static final int DIFFERENT_BATCHES = 16;
  private static final int STEP_MS = 20;
  private static final long FIRST_TIME_MS = 1_700_000_000_000L;

  private final Path directory;
  private final ByteBuffer[] batches;
  private final int[] sequences;
  private final CRC32C crc = new CRC32C();
  private long offset;
  private long written;

  private PartitionFiles(Path directory, Workload workload, int producers) {
    this.directory = directory;
    batches = ProducedBatch.copies(workload.batches(DIFFERENT_BATCHES));
    sequences = new int[producers];
  }

  /**
   * Writes a partition, or many.
   *
   * @param args see {@link #write}: the directory, segments, the least size of each, codec, records
   *     per batch, bytes per value, producers; or {@code many} and see {@link #writeMany}: the
   *     directory, partitions, segments
   * @throws IOException if a file cannot be written
   */
  public static void main(String[] args) throws IOException {
    if (args[0].equals("many")) {
      writeMany(Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      return;
    }
    int[] sizes = new int[args.length];
    for (int i = 0; i < args.length; i++) {
      sizes[i] = args[i].matches("[0-9]+") ? Integer.parseInt(args[i]) : 0;
    }
    Workload workload = Workload.json(Workload.codec(args[3]), sizes[4], sizes[5]);
    write(Path.of(args[0]), sizes[1], sizes[2], workload, sizes[6]);
  }

  /**
   * Writes a partition, and returns its number of batches.
   *
   * @param directory is created
   * @param segments how many
   * @param bytes the least size of each, of which the last batch is a part
   * @param workload the batches
   * @param producers how many producers take turns
   * @throws IOException if a file cannot be written
   */
  public static long write(
      Path directory, int segments, int bytes, Workload workload, int producers)
      throws IOException {
    Files.createDirectories(directory);
    PartitionFiles files = new PartitionFiles(directory, workload, producers);
    for (int i = 0; i < segments; i++) {
      files.segment(bytes);
    }
    Files.writeString(directory.resolve("leader-epoch-checkpoint"), "0\n1\n0 0\n");
    return files.written;
  }

  private void segment(int bytes) throws IOException {
    long base = offset;
    long position = 0;
    long sinceEntry = 0;
    try (FileChannel log =
            FileChannel.open(
                file(base, "log"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        DataOutputStream offsets = index(base, "index");
        DataOutputStream times = index(base, "timeindex")) {
      while (position < bytes) {
        ByteBuffer batch = next();
        if (sinceEntry > INDEX_INTERVAL_BYTES) {
          offsets.writeInt((int) (offset - 1 - base));
          offsets.writeInt((int) position);
          times.writeLong(batch.getLong(BatchLayout.MAX_TIMESTAMP_OFFSET));
          times.writeInt((int) (offset - 1 - base));
          sinceEntry = 0;
        }
        position += batch.limit();
        sinceEntry += batch.limit();
        log.write(batch.rewind());
      }
    }
  }

  private Path file(long base, String suffix) {
    return directory.resolve("%020d.%s".formatted(base, suffix));
  }

  private DataOutputStream index(long base, String suffix) throws IOException {
    return new DataOutputStream(
        new BufferedOutputStream(Files.newOutputStream(file(base, suffix))));
  }

  /** Returns the next batch, with the offsets, times and sequence numbers that follow. */
  private ByteBuffer next() {
    ByteBuffer batch = batches[(int) (written % batches.length)];
    int producer = (int) (written % sequences.length);
    int records = batch.getInt(BatchLayout.RECORD_COUNT_OFFSET);
    long range =
        batch.getLong(BatchLayout.MAX_TIMESTAMP_OFFSET)
            - batch.getLong(BatchLayout.BASE_TIMESTAMP_OFFSET);
    long first = FIRST_TIME_MS + written * (range + STEP_MS);
    batch.putLong(BatchLayout.BASE_OFFSET_OFFSET, offset);
    batch.putInt(BatchLayout.PARTITION_LEADER_EPOCH_OFFSET, 0);
    batch.putLong(BatchLayout.BASE_TIMESTAMP_OFFSET, first);
    batch.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, first + range);
    batch.putLong(BatchLayout.PRODUCER_ID_OFFSET, producer);
    batch.putShort(BatchLayout.PRODUCER_EPOCH_OFFSET, (short) 0);
    batch.putInt(BatchLayout.BASE_SEQUENCE_OFFSET, sequences[producer]);
    crc.reset();
    crc.update(
        batch.slice(BatchLayout.ATTRIBUTES_OFFSET, batch.limit() - BatchLayout.ATTRIBUTES_OFFSET));
    batch.putInt(BatchLayout.CRC_OFFSET, (int) crc.getValue());
    sequences[producer] += records; // below the largest number for any size that is useful
    offset += records;
    written++;
    return batch;
  }

  /**
   * Writes a data directory with partitions of small segments, and returns its number of segments.
   *
   * @param data is created
   * @param partitions how many
   * @param segments how many each
   * @throws IOException if a file cannot be written
   */
  public static int writeMany(Path data, int partitions, int segments) throws IOException {
    Workload workload = Workload.json(Codec.NONE, 1, 100);
    for (int i = 0; i < partitions; i++) {
      write(data.resolve("events-" + i), segments, 1, workload, 1);
    }
    return partitions * segments;
  }
}
