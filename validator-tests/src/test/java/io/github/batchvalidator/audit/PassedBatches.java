// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.partition.PartitionAudit;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.BytesSegment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An audit of a partition whose batches and files the test passes, without any log. */
final class PassedBatches {
  static final int BATCH_BYTES = 100;

  private final List<String> faults = new ArrayList<>();
  private final TreeMap<Long, StoredFile> snapshots = new TreeMap<>();
  private final EnumMap<Companion, StoredFile> indexes = new EnumMap<>(Companion.class);
  private @Nullable StoredFile leaderEpochs;
  private long logStart = StoredBatch.NONE;
  private boolean isFresh;
  private Segment.Look look = Segment.Look.SAME;
  private long timestamp;
  private int leaderEpoch;
  private @Nullable PartitionAudit audit;
  private long position;
  private long offset;

  /** A file in memory. Each time it is opened, it has the next content, and at last the last. */
  private static final class Bytes implements StoredFile {
    private final String name;
    private final byte[][] contents;
    private int opened;

    Bytes(String name, byte[]... contents) {
      this.name = name;
      this.contents = contents;
    }

    private byte[] content() {
      return contents[Math.min(opened, contents.length - 1)];
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long size() {
      return content().length;
    }

    @Override
    public InputStream open() {
      InputStream content = new ByteArrayInputStream(content());
      opened++;
      return content;
    }
  }

  /** Adds a snapshot of producers. Call it before the first segment. */
  PassedBatches snapshot(long at, byte[] bytes) {
    snapshots.put(at, new Bytes(at + ".snapshot", bytes));
    return this;
  }

  /** Adds the checkpoint of leader epochs. Call it before the first segment. */
  PassedBatches leaderEpochs(byte[]... contents) {
    leaderEpochs = new Bytes("leader-epoch-checkpoint", contents);
    return this;
  }

  /** Sets the checkpoint of the log start. Call it before the first segment. */
  PassedBatches logStart(long at) {
    logStart = at;
    return this;
  }

  /** Adds an index to the next segment. */
  PassedBatches index(Companion kind, byte[]... contents) {
    indexes.put(kind, new Bytes("index", contents));
    return this;
  }

  /** Has all segments look as if they were written to a moment ago. */
  PassedBatches fresh() {
    isFresh = true;
    return this;
  }

  /** Sets what another look at the segments shows. */
  PassedBatches look(Segment.Look next) {
    look = next;
    return this;
  }

  /** Sets the timestamp and the leader epoch of the batches that follow. */
  PassedBatches stamp(long time, int epoch) {
    timestamp = time;
    leaderEpoch = epoch;
    return this;
  }

  /** Starts a segment with an offset index. */
  PassedBatches segment(long base, byte[] index) {
    return index(Companion.OFFSET_INDEX, index).segment(base);
  }

  /** Starts a segment with the indexes that were added since the one before. */
  PassedBatches segment(long base) {
    PartitionAudit current = audit;
    if (current == null) {
      current =
          new PartitionAudit(
              new NoLog(snapshots, leaderEpochs, logStart),
              false,
              (file, fault) -> faults.add(fault.reason()),
              (file, why) -> faults.add(why));
      audit = current;
    } else {
      current.endSegment();
    }
    current.start(opened(new NoBytes(base, Map.copyOf(indexes))));
    indexes.clear();
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
    return pass(1, 1, producer, sequence, control);
  }

  /** Passes a batch without a producer, which may have fewer records than offsets. */
  PassedBatches addRecords(int offsets, int records) {
    return pass(offsets, records, StoredBatch.NONE, StoredBatch.NONE, null);
  }

  private PassedBatches pass(
      int offsets, int records, long producer, int sequence, @Nullable Control control) {
    audit()
        .batch(
            new StoredBatch(
                position,
                BATCH_BYTES,
                (byte) 2,
                Codec.NONE,
                offset,
                offset + offsets - 1,
                records,
                timestamp,
                timestamp,
                leaderEpoch,
                producer,
                (short) 0,
                sequence,
                producer >= 0,
                control));
    position += BATCH_BYTES;
    offset += offsets;
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
  private final class NoBytes extends BytesSegment {
    private final Map<Companion, StoredFile> companions;

    NoBytes(long base, Map<Companion, StoredFile> companions) {
      super(String.format("%020d.log", base), new byte[0]);
      this.companions = companions;
    }

    @Override
    public Look lookAgain() {
      return look;
    }

    @Override
    public boolean isFresh() {
      return isFresh;
    }

    @Override
    public @Nullable StoredFile companion(Companion kind) {
      return companions.get(kind);
    }
  }

  private record NoLog(
      NavigableMap<Long, StoredFile> producerSnapshots,
      @Nullable StoredFile leaderEpochs,
      long logStart)
      implements Partition {
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
    public long checkpoint(String name) {
      return name.equals(PartitionDirectory.LOG_STARTS) ? logStart : StoredBatch.NONE;
    }
  }
}
