// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.tiered.AuditingStorageManager;
import io.github.batchvalidator.tiered.ClosedSegment;
import io.github.batchvalidator.tiered.FakeManager;
import io.github.batchvalidator.tiered.TieredMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processor time of an audit beside that of reading and copying the same segment. */
@Tag("slow")
class TieredThroughputIT {
  private static final long SEGMENT_BYTES = 1L << 30;
  private static final int RECORDS = 125;
  private static final int VALUE_BYTES = 1 << 10;
  private static final int ROUNDS = 3;
  private static final int BUFFER_BYTES = 1 << 20;

  @TempDir private Path data;

  private static ByteBuffer batch(Codec codec) {
    Random random = new Random(7);
    List<SimpleRecord> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      StringBuilder json = new StringBuilder("{");
      while (json.length() < VALUE_BYTES) {
        json.append("\"field")
            .append(random.nextInt(40))
            .append("\":")
            .append(random.nextInt())
            .append(',');
      }
      byte[] value = json.toString().getBytes(StandardCharsets.US_ASCII);
      records.add(new SimpleRecord(Batches.nowMs(), null, value));
    }
    return Batches.of(codec, records.toArray(SimpleRecord[]::new));
  }

  /** Writes one gigabyte of batches, with the other files of the segment. */
  private ClosedSegment write(Path partition, Codec codec) throws IOException {
    ByteBuffer batch = batch(codec);
    int copies = (int) (SEGMENT_BYTES / batch.remaining());
    long next = (long) copies * RECORDS;
    Files.createDirectories(partition);
    try (FileChannel log =
        FileChannel.open(
            partition.resolve(StoredLog.fileName(0, ".log")),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE)) {
      for (int i = 0; i < copies; i++) {
        batch.putLong(batch.position(), (long) i * RECORDS);
        log.write(batch.duplicate());
      }
    }
    Files.createFile(partition.resolve(StoredLog.fileName(0, ".index")));
    Files.createFile(partition.resolve(StoredLog.fileName(0, ".timeindex")));
    Files.createFile(partition.resolve(StoredLog.fileName(next, ".log")));
    try (KafkaLog empty = KafkaLog.open(data.resolve("empty-0"))) {
      empty.plain(1).roll();
    }
    Files.copy(
        data.resolve("empty-0").resolve(StoredLog.fileName(1, ".snapshot")),
        partition.resolve(StoredLog.fileName(next, ".snapshot")));
    Files.writeString(partition.resolve("leader-epoch-checkpoint"), "0\n1\n0 0\n");
    return ClosedSegment.list(partition).get(0);
  }

  /** Returns the processor time of this thread, which other processes do not change much. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static double gigabytesPerSecond(long nanos) {
    return (double) SEGMENT_BYTES / nanos;
  }

  private static long read(Path file) throws IOException {
    long start = cpuNanos();
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (FileChannel in = FileChannel.open(file)) {
      while (in.read(buffer.clear()) >= 0) {
        // Only the time counts.
      }
    }
    return cpuNanos() - start;
  }

  private long copy(Path file) throws IOException {
    Path target = data.resolve("copy");
    long start = cpuNanos();
    Files.copy(file, target);
    long nanos = cpuNanos() - start;
    Files.delete(target);
    return nanos;
  }

  private static long audit(ClosedSegment segment, Path partition) throws Exception {
    try (AuditingStorageManager manager = new AuditingStorageManager()) {
      manager.configure(FakeManager.settings(new FakeManager.Calls(), "enforce"));
      long start = cpuNanos();
      manager.copyLogSegmentData(segment.metadata(), segment.data(partition));
      long nanos = cpuNanos() - start;
      TieredMXBean bean =
          JMX.newMXBeanProxy(
              ManagementFactory.getPlatformMBeanServer(),
              new ObjectName(TieredMXBean.NAME),
              TieredMXBean.class);
      assertEquals(1, bean.getSound());
      return nanos;
    }
  }

  @Test
  void print() throws Exception {
    for (Codec codec : Codec.values()) {
      Path partition = data.resolve(codec + "-0");
      ClosedSegment segment = write(partition, codec);
      Path log = segment.file(partition, "log");
      long read = Long.MAX_VALUE;
      long copy = Long.MAX_VALUE;
      long audit = Long.MAX_VALUE;
      for (int i = 0; i < ROUNDS; i++) {
        read = Math.min(read, read(log));
        copy = Math.min(copy, copy(log));
        audit = Math.min(audit, audit(segment, partition));
      }
      System.out.printf(
          Locale.ROOT,
          "| %s | %.2f | %.2f | %.2f | %.2f |%n",
          codec.name().toLowerCase(Locale.ROOT),
          gigabytesPerSecond(audit),
          gigabytesPerSecond(read),
          gigabytesPerSecond(copy),
          (double) (audit + copy) / copy);
      Files.delete(log);
      assertTrue(audit > 0);
    }
  }
}
