// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.partition.PartitionAudit;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.rule.Codec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An audit of a partition whose batches and files the test passes, without any log. */
final class PassedBatches {
  static final int BATCH_BYTES = 100;

  private final List<String> faults = new ArrayList<>();
  private final TreeMap<Long, StoredFile> snapshots = new TreeMap<>();
  private @Nullable PartitionAudit audit;
  private long position;
  private long offset;

  /** A file in memory. */
  private static final class Bytes implements StoredFile {
    private final String name;
    private final byte[] bytes;

    Bytes(String name, byte[] bytes) {
      this.name = name;
      this.bytes = bytes;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  /** Adds a snapshot of producers. Call it before the first segment. */
  PassedBatches snapshot(long at, byte[] bytes) {
    snapshots.put(at, new Bytes(at + ".snapshot", bytes));
    return this;
  }

  /** Starts a segment without an index. */
  PassedBatches segment(long base) {
    return segment(base, null);
  }

  /** Starts a segment with an offset index. */
  PassedBatches segment(long base, byte @Nullable [] index) {
    PartitionAudit current = audit;
    if (current == null) {
      current =
          new PartitionAudit(
              new NoLog(snapshots),
              false,
              (file, fault) -> faults.add(fault.reason()),
              (file, why) -> faults.add(why));
      audit = current;
    } else {
      current.endSegment();
    }
    current.start(opened(new NoBytes(base, index)));
    position = 0;
    offset = base;
    return this;
  }

  private static Segment opened(Segment segment) {
    try {
      segment.open();
      return segment;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Passes a batch of one record. */
  PassedBatches add(long producer, int sequence, @Nullable Control control) {
    audit()
        .batch(
            new StoredBatch(
                position,
                BATCH_BYTES,
                (byte) 2,
                Codec.NONE,
                offset,
                offset,
                1,
                0,
                0,
                0,
                producer,
                (short) 0,
                sequence,
                true,
                control));
    position += BATCH_BYTES;
    offset++;
    return this;
  }

  /** Passes over batches of one record that cannot be read. */
  PassedBatches unreadable(int batches) {
    position += (long) batches * BATCH_BYTES;
    offset += batches;
    return this;
  }

  /** Ends the segment and the partition. */
  PartitionSummary end() {
    audit().endSegment();
    return audit().end();
  }

  private PartitionAudit audit() {
    PartitionAudit current = audit;
    if (current == null) {
      throw new AssertionError("no segment");
    }
    return current;
  }

  /** Returns the reasons of all faults so far. */
  List<String> faults() {
    return faults;
  }

  /** A segment whose batches are passed in by the test. */
  private static final class NoBytes extends Segment {
    private final byte @Nullable [] index;

    NoBytes(long base, byte @Nullable [] index) {
      super("s", String.format("%020d.log", base));
      this.index = index;
    }

    @Override
    public void openBytes() {}

    @Override
    public long currentSize() {
      return 0;
    }

    @Override
    public void read(ByteBuffer target, long from) {}

    @Override
    public ByteBuffer map(long from, int bytes) {
      return ByteBuffer.allocate(0);
    }

    @Override
    public @Nullable StoredFile companion(Companion kind) {
      return kind == Companion.OFFSET_INDEX && index != null ? new Bytes("index", index) : null;
    }

    @Override
    public void close() {}
  }

  private record NoLog(NavigableMap<Long, StoredFile> producerSnapshots) implements Partition {
    @Override
    public String name() {
      return "p";
    }

    @Override
    public String topic() {
      return "t";
    }

    @Override
    public int number() {
      return 0;
    }

    @Override
    public String topicId() {
      return "";
    }

    @Override
    public boolean isCompacted() {
      return false;
    }

    @Override
    public @Nullable StoredFile leaderEpochs() {
      return null;
    }
  }
}
