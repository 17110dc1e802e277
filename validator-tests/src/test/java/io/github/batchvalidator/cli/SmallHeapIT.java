// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.bench.workload.PartitionFiles;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xerial.snappy.Snappy;

/** Runs the program in a separate process with a heap that is smaller than the segment. */
class SmallHeapIT {
  private static final List<String> SMALL_HEAP = List.of("-Xmx64m");
  private static final long SEGMENT_BYTES = 200_000_000;
  private static final int ONE_BLOCK_BYTES = 60_000_000;
  private static final int MANY_BATCHES = 2_000_000;
  private static final int BATCHES_PER_ENTRY = 50;
  private static final int LARGE_BATCH_RECORDS = 300_000;
  private static final int MANY_SEGMENTS = 1000;
  private static final int SMALL_SEGMENT_BYTES = 60_000;
  private static final int PRODUCERS = 500;

  @TempDir private Path directory;

  @Test
  void segmentLargerThanTheHeap() throws IOException, InterruptedException {
    Path path = directory.resolve("00000000000000000000.log");
    long records = write(path);
    Run run = CheckProcess.run(directory, SMALL_HEAP, path);
    assertEquals(0, run.exitCode(), run.out());
    assertEquals(records, run.summary().get("records").asLong());
    assertEquals(Files.size(path), run.summary().get("fileBytes").asLong());
  }

  /** Batches are compared with each other and with an index, one after the other. */
  @Test
  void partitionOfManySmallBatches() throws IOException, InterruptedException {
    Path partition = Files.createDirectory(directory.resolve("orders-0"));
    ByteBuffer batch = Batches.of(Codec.NONE, new SimpleRecord(Batches.nowMs(), null, new byte[3]));
    try (OutputStream log = stream(partition, "log");
        DataOutputStream index = new DataOutputStream(stream(partition, "index"))) {
      for (int i = 0; i < MANY_BATCHES; i++) {
        writeAll(log, batch, i);
        if (i > 0 && i % BATCHES_PER_ENTRY == 0) {
          index.writeInt(i);
          index.writeInt(i * batch.limit());
        }
      }
    }
    Run run = CheckProcess.run(directory, SMALL_HEAP, partition);
    assertEquals(0, run.exitCode(), run.out());
    assertEquals(MANY_BATCHES, run.summary().get("batches").asInt());
    assertEquals(MANY_BATCHES - 1, run.objects("partition").get(0).get("lastOffset").asInt());
  }

  @Test
  void partitionOfThousandSegments() throws IOException, InterruptedException {
    Path partition = directory.resolve("orders-0");
    Workload workload = Workload.json(Codec.LZ4, 10, 1024);
    long batches =
        PartitionFiles.write(partition, MANY_SEGMENTS, SMALL_SEGMENT_BYTES, workload, PRODUCERS);
    Run run = CheckProcess.run(directory, SMALL_HEAP, partition);
    assertEquals(0, run.exitCode(), run.out());
    assertEquals(batches, run.summary().get("batches").asLong());
    JsonNode found = run.objects("partition").get(0);
    assertEquals(MANY_SEGMENTS, found.get("segments").asInt());
    assertEquals(PRODUCERS, found.get("producers").asInt());
  }

  /** {@code scripts/check-scale} checks ten times as many within 64 MiB. */
  @Test
  void dataDirectoryOfManySegments() throws IOException, InterruptedException {
    Path data = directory.resolve("data");
    int segments = PartitionFiles.writeMany(data, 100, 100);
    Run run = CheckProcess.run(directory, List.of("-Xmx20m"), data);
    assertEquals(0, run.exitCode(), run.out());
    assertEquals(segments, run.summary().get("files").asInt());
    assertEquals(100, run.objects("partition").size());
  }

  private static OutputStream stream(Path partition, String suffix) throws IOException {
    Path file = partition.resolve("00000000000000000000." + suffix);
    return new BufferedOutputStream(Files.newOutputStream(file));
  }

  /** One Snappy block that decodes to about the whole heap: an error of that file alone. */
  @Test
  void batchThatNeedsMoreThanTheHeap() throws IOException, InterruptedException {
    byte[] block = Snappy.compress(new byte[ONE_BLOCK_BYTES]);
    SegmentBytes demanding = new SegmentBytes().add(Batches.ofPayload(Codec.SNAPPY, 1, block));
    Path first = SegmentBytes.write(directory, "1.log", demanding.toByteArray());
    Path second = SegmentBytes.write(directory, "2.log", SegmentBytes.of(5, 5).toByteArray());
    Run run = CheckProcess.run(directory, SMALL_HEAP, first, second);
    assertEquals(3, run.exitCode(), run.out());
    JsonNode error = run.objects("error").get(0);
    assertEquals(first.toString(), error.get("file").asText());
    assertTrue(error.get("message").asText().startsWith("not enough memory"), run.out());
    assertEquals(5, run.objects("file").get(1).get("batches").asInt());
    assertEquals(0, run.summary().get("faults").asInt());
  }

  /** All records of the batch together take more than the heap. */
  @Test
  void recordsOfALargeBatchAreStreamed() throws IOException, InterruptedException {
    SegmentBytes large = new SegmentBytes();
    large.add(SegmentBytes.batch(Codec.LZ4, LARGE_BATCH_RECORDS, 1));
    Path path = SegmentBytes.write(directory, "some.log", large.toByteArray());
    String count = "\"$@\" | grep -c '^{\"type\":\"record\"'; exit ${PIPESTATUS[0]}";
    Run run =
        CheckProcess.runWithin(
            List.of("bash", "-c", count, "count"),
            directory,
            List.of("-Xmx20m"),
            "--records",
            "--threads=2",
            path);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(LARGE_BATCH_RECORDS + "\n", run.out());
  }

  /** Repeats a sample, offsets going on, around one batch that is larger than any window. */
  private static long write(Path path) throws IOException {
    ByteBuffer sample = ByteBuffer.wrap(SegmentBytes.resource("sample/json-lz4.log"));
    ByteBuffer large = SegmentBytes.batch(Codec.NONE, LARGE_BATCH_RECORDS, 1);
    long offset = 0;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path))) {
      for (long bytes = 0; bytes < SEGMENT_BYTES; bytes += sample.capacity()) {
        offset = writeAll(out, sample, offset);
      }
      offset = writeAll(out, large, offset);
      return writeAll(out, sample, offset);
    }
  }

  private static long writeAll(OutputStream out, ByteBuffer batches, long firstOffset)
      throws IOException {
    long offset = firstOffset;
    int at = 0;
    while (at < batches.limit()) {
      batches.putLong(at, offset);
      offset += batches.getInt(at + BatchLayout.LAST_OFFSET_DELTA_OFFSET) + 1;
      at += batches.getInt(at + BatchLayout.LENGTH_OFFSET) + BatchLayout.LOG_OVERHEAD;
    }
    out.write(batches.array(), batches.arrayOffset(), at);
    return offset;
  }
}
