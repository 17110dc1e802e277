// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static io.github.batchvalidator.audit.report.PartitionReason.METADATA_SNAPSHOT_FOOTER_MISSING;
import static io.github.batchvalidator.audit.report.PartitionReason.METADATA_SNAPSHOT_HEADER_MISSING;
import static io.github.batchvalidator.audit.report.PartitionReason.PARTITION_LEADER_EPOCH_DECREASED;
import static io.github.batchvalidator.audit.report.PartitionReason.PARTITION_LEADER_EPOCH_INVALID;
import static io.github.batchvalidator.audit.report.PartitionReason.PARTITION_OFFSETS_MISSING;
import static io.github.batchvalidator.audit.report.PartitionReason.PARTITION_SEGMENTS_OVERLAP;
import static io.github.batchvalidator.audit.report.PartitionReason.PARTITION_TAIL_MISSING;
import static io.github.batchvalidator.audit.report.SegmentReason.SEGMENT_BASE_OFFSET_WRONG;
import static io.github.batchvalidator.audit.report.SegmentReason.SEGMENT_FRAMING_CORRUPT;
import static io.github.batchvalidator.audit.report.SegmentReason.SEGMENT_NOT_RECOGNIZED;
import static io.github.batchvalidator.audit.report.SegmentReason.SEGMENT_OFFSETS_OUT_OF_ORDER;
import static io.github.batchvalidator.audit.report.SegmentReason.SEGMENT_OFFSET_BELOW_BASE;
import static io.github.batchvalidator.audit.report.SegmentReason.SEGMENT_SCAN_STOPPED;
import static io.github.batchvalidator.audit.report.SegmentReason.SEGMENT_TRUNCATED_TAIL;

import io.github.batchvalidator.audit.StoredLog.Batch;
import io.github.batchvalidator.format.BatchLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.message.SnapshotFooterRecord;
import org.apache.kafka.common.message.SnapshotHeaderRecord;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Damage of segments, of their order, and of snapshots of KRaft. */
final class LogDamage {
  private static final int LEADER_EPOCH = 12;
  private static final int LAST = SampleLog.SEGMENTS - 1;
  private static final String CHECKPOINT = "00000000000000000003-0000000001.checkpoint";

  private LogDamage() {}

  static Stream<Planted> all() {
    return Stream.of(
            missing(), lostTails(), overlaps(), leaderEpochs(), segments(), metadataSnapshots())
        .flatMap(each -> each);
  }

  private static Stream<Planted> missing() {
    return Stream.of(
        new Planted(
            PARTITION_OFFSETS_MISSING,
            "a segment in the middle is deleted",
            log -> {
              log.delete(2);
              return log.at(2, ".log", 0);
            }),
        new Planted(
            PARTITION_OFFSETS_MISSING,
            "a batch of a transaction is cut out, its checksum is intact",
            log -> cutOut(log, 1, 4)),
        new Planted(
            PARTITION_OFFSETS_MISSING,
            "a batch of an idempotent producer is cut out",
            log -> cutOut(log, 0, 9)),
        new Planted(
            PARTITION_OFFSETS_MISSING,
            "the first batch of the partition is cut out",
            log -> cutOut(log, 0, 0)),
        new Planted(
            PARTITION_OFFSETS_MISSING,
            "the first batch of a segment is cut out",
            log -> cutOut(log, 3, 0)),
        new Planted(
            PARTITION_OFFSETS_MISSING,
            "the last batch of a segment is cut off",
            log -> {
              log.truncate(log.file(0, ".log"), log.batches(0).get(39).position());
              log.deleteIndexes(0);
              return log.at(1, ".log", 0);
            }),
        new Planted(
            PARTITION_OFFSETS_MISSING,
            "an empty segment follows that starts too far on",
            log -> {
              Files.createFile(log.file(StoredLog.fileName(300, ".log")));
              return log.at(LAST + 1, ".log", 0);
            }));
  }

  private static String cutOut(StoredLog log, int segment, int batch) throws Exception {
    Batch cut = log.batches(segment).get(batch);
    log.cut(segment, cut);
    log.deleteIndexes(segment);
    return log.at(segment, ".log", cut.position());
  }

  private static Stream<Planted> overlaps() {
    return Stream.of(
        new Planted(
            PARTITION_SEGMENTS_OVERLAP,
            "a part of a segment is stored twice, in a file of its own",
            log -> {
              Batch from = log.batches(1).get(4);
              byte[] all = Files.readAllBytes(log.file(1, ".log"));
              String name = StoredLog.fileName(from.base(), ".log");
              log.append(log.file(name), Arrays.copyOfRange(all, from.position(), all.length));
              return name + "@0";
            }),
        new Planted(
            PARTITION_SEGMENTS_OVERLAP,
            "a segment is renamed to a lower offset",
            log -> {
              log.rename(2, log.bases().get(2) - 1);
              return log.at(2, ".log", 0);
            }),
        new Planted(
            PARTITION_SEGMENTS_OVERLAP,
            "the first batches of a segment are also in the segment before it",
            log -> {
              log.append(log.file(1, ".log"), log.bytes(2, log.batches(2).get(0)));
              log.append(log.file(1, ".log"), log.bytes(2, log.batches(2).get(1)));
              return log.at(2, ".log", 0);
            }));
  }

  private static Stream<Planted> leaderEpochs() {
    return Stream.of(
        new Planted(
            PARTITION_LEADER_EPOCH_DECREASED,
            "the leader epoch of a batch is lowered",
            log -> leaderEpoch(log, 1, 12, 1)),
        new Planted(
            PARTITION_LEADER_EPOCH_DECREASED,
            "the same without a checkpoint of leader epochs",
            log -> {
              Files.delete(log.file("leader-epoch-checkpoint"));
              return leaderEpoch(log, 1, 12, 1);
            }),
        new Planted(
            PARTITION_LEADER_EPOCH_INVALID,
            "the leader epoch of a batch is raised",
            log -> leaderEpoch(log, 2, 4, 9)),
        new Planted(
            PARTITION_LEADER_EPOCH_INVALID,
            "the same without a checkpoint of leader epochs",
            log -> {
              Files.delete(log.file("leader-epoch-checkpoint"));
              return leaderEpoch(log, 2, 4, 9);
            }));
  }

  private static Stream<Planted> lostTails() {
    return Stream.of(
        new Planted(
            PARTITION_TAIL_MISSING,
            "the last segment is deleted, the snapshot of a clean stop is not",
            log -> {
              log.delete(LAST);
              return atEnd(log);
            }),
        new Planted(
            PARTITION_TAIL_MISSING,
            "the last batches are cut off, the index has entries for them",
            log -> {
              log.deleteSnapshots();
              Files.delete(log.file("leader-epoch-checkpoint"));
              return cutTail(log);
            }),
        new Planted(
            PARTITION_TAIL_MISSING,
            "the epoch checkpoint has an epoch after the end",
            log -> {
              log.deleteSnapshots();
              Files.writeString(
                  log.file("leader-epoch-checkpoint"), "0\n5\n0 0\n1 75\n3 143\n4 234\n5 253\n");
              return atEnd(log);
            }),
        checkpointBeyond("recovery-point-offset-checkpoint"),
        checkpointBeyond("replication-offset-checkpoint"),
        checkpointBeyond("log-start-offset-checkpoint"));
  }

  private static String cutTail(StoredLog log) throws Exception {
    log.truncate(log.file(LAST, ".log"), log.batches(LAST).get(1).position());
    return atEnd(log);
  }

  private static Planted checkpointBeyond(String name) {
    return new Planted(
        PARTITION_TAIL_MISSING,
        name + " has an offset after the end",
        log -> {
          Files.writeString(
              log.directory().resolveSibling(name), "0\n2\norders 13 999\norders 3 253\n");
          return atEnd(log);
        });
  }

  private static String atEnd(StoredLog log) throws Exception {
    int last = log.bases().size() - 1;
    return log.at(last, ".log", Files.size(log.file(last, ".log")));
  }

  private static String leaderEpoch(StoredLog log, int segment, int batch, int epoch)
      throws Exception {
    int position = log.batches(segment).get(batch).position();
    log.edit(log.file(segment, ".log"), all -> all.putInt(position + LEADER_EPOCH, epoch));
    return log.at(segment, ".log", position);
  }

  private static Stream<Planted> segments() {
    return Stream.of(tails(), framings(), foreignSegments(), repeatedOffsets(), names())
        .flatMap(each -> each);
  }

  private static Stream<Planted> tails() {
    return Stream.of(
        new Planted(
            SEGMENT_TRUNCATED_TAIL,
            "the last batch is incomplete",
            log -> {
              Batch last = log.batches(LAST).get(5);
              log.truncate(log.file(LAST, ".log"), last.position() + last.bytes() - 1);
              return log.at(LAST, ".log", last.position());
            }),
        new Planted(
            SEGMENT_TRUNCATED_TAIL,
            "an earlier segment ends inside a batch",
            log -> {
              Batch last = log.batches(1).get(13);
              log.truncate(log.file(1, ".log"), last.position() + 30);
              return log.at(1, ".log", last.position());
            }),
        new Planted(
            SEGMENT_TRUNCATED_TAIL,
            "zeros follow the last batch",
            log -> {
              long size = Files.size(log.file(LAST, ".log"));
              log.append(log.file(LAST, ".log"), new byte[500]);
              return log.at(LAST, ".log", size);
            }));
  }

  private static Stream<Planted> framings() {
    return Stream.of(
        new Planted(
            SEGMENT_FRAMING_CORRUPT,
            "the length of a batch is wrong",
            log -> length(log, 0, 12, 100_000)),
        new Planted(
            SEGMENT_FRAMING_CORRUPT,
            "the length of the first batch is negative",
            log -> length(log, 1, 0, -1)),
        new Planted(
            SEGMENT_FRAMING_CORRUPT,
            "some batches are overwritten",
            log -> {
              int from = log.batches(0).get(20).position();
              int to = log.batches(0).get(23).position();
              log.fill(log.file(0, ".log"), from, to);
              return log.at(0, ".log", from);
            }),
        new Planted(
            SEGMENT_SCAN_STOPPED,
            "the length of the last batch is negative",
            log -> length(log, LAST, 5, -1)),
        new Planted(
            SEGMENT_SCAN_STOPPED,
            "the rest of a segment is overwritten",
            log -> {
              int from = log.batches(1).get(9).position();
              log.fill(log.file(1, ".log"), from, (int) Files.size(log.file(1, ".log")));
              return log.at(1, ".log", from);
            }));
  }

  private static Stream<Planted> foreignSegments() {
    return Stream.of(
        new Planted(
            SEGMENT_NOT_RECOGNIZED,
            "a segment is a text",
            log -> {
              Files.writeString(log.file(2, ".log"), "no batch of records\n".repeat(50));
              return log.at(2, ".log", 0);
            }),
        new Planted(
            SEGMENT_NOT_RECOGNIZED,
            "a segment is overwritten from its start",
            log -> {
              log.fill(log.file(3, ".log"), 0, (int) Files.size(log.file(3, ".log")));
              return log.at(3, ".log", 0);
            }));
  }

  private static Stream<Planted> repeatedOffsets() {
    return Stream.of(
        new Planted(
            SEGMENT_OFFSETS_OUT_OF_ORDER,
            "a batch is stored twice",
            log -> {
              Batch twice = log.batches(0).get(9);
              int end = twice.position() + twice.bytes();
              log.copy(log.file(0, ".log"), twice.position(), end, end);
              log.deleteIndexes(0);
              return log.at(0, ".log", end);
            }),
        new Planted(
            SEGMENT_BASE_OFFSET_WRONG,
            "the base offset of a batch is raised",
            log -> baseOffset(log, 0, 9, 1_000_000)),
        new Planted(
            SEGMENT_BASE_OFFSET_WRONG,
            "the base offset of a batch is lowered",
            log -> baseOffset(log, 0, 9, -20)),
        new Planted(
            SEGMENT_OFFSETS_OUT_OF_ORDER,
            "two batches are exchanged",
            log -> {
              Batch first = log.batches(0).get(7);
              Batch second = log.batches(0).get(8);
              int end = second.position() + second.bytes();
              log.copy(log.file(0, ".log"), first.position(), second.position(), end);
              log.cut(log.file(0, ".log"), first.position(), second.position());
              log.deleteIndexes(0);
              return log.at(0, ".log", first.position() + second.bytes());
            }));
  }

  private static Stream<Planted> names() {
    return Stream.of(
        new Planted(
            SEGMENT_OFFSET_BELOW_BASE,
            "a segment is renamed to a higher offset",
            log -> {
              log.rename(2, log.bases().get(2) + 7);
              return log.at(2, ".log", 0);
            }),
        new Planted(
            SEGMENT_OFFSET_BELOW_BASE,
            "the last segment is renamed to a higher offset",
            log -> {
              log.rename(LAST, 100_000);
              return log.at(LAST, ".log", 0);
            }));
  }

  private static String length(StoredLog log, int segment, int batch, int length) throws Exception {
    int position = log.batches(segment).get(batch).position();
    log.edit(
        log.file(segment, ".log"), all -> all.putInt(position + BatchLayout.LENGTH_OFFSET, length));
    return StoredLog.fileName(log.bases().get(segment), ".log") + "@" + position;
  }

  private static String baseOffset(StoredLog log, int segment, int batch, long change)
      throws Exception {
    int position = log.batches(segment).get(batch).position();
    log.edit(
        log.file(segment, ".log"), all -> all.putLong(position, all.getLong(position) + change));
    return log.at(segment, ".log", position);
  }

  private static Stream<Planted> metadataSnapshots() {
    return Stream.of(
        new Planted(
            METADATA_SNAPSHOT_HEADER_MISSING,
            "a snapshot of KRaft starts with data",
            log -> snapshot(log, data(0), footer(2)) + "@0"),
        new Planted(
            METADATA_SNAPSHOT_HEADER_MISSING,
            "a snapshot of KRaft starts with a footer",
            log -> snapshot(log, footer(0), data(1), footer(3)) + "@0"),
        new Planted(
            METADATA_SNAPSHOT_FOOTER_MISSING,
            "a snapshot of KRaft ends with data",
            log -> atEnd(snapshot(log, header(0), data(1)), header(0), data(1))),
        new Planted(
            METADATA_SNAPSHOT_FOOTER_MISSING,
            "data follows the footer of a snapshot of KRaft",
            log ->
                atEnd(
                    snapshot(log, header(0), footer(1), data(2)), header(0), footer(1), data(2))));
  }

  private static String atEnd(String name, MemoryRecords... batches) {
    return name + "@" + Stream.of(batches).mapToInt(MemoryRecords::sizeInBytes).sum();
  }

  static MemoryRecords header(long offset) {
    return MemoryRecords.withSnapshotHeaderRecord(
        offset, 0, 1, ByteBuffer.allocate(256), new SnapshotHeaderRecord());
  }

  static MemoryRecords footer(long offset) {
    return MemoryRecords.withSnapshotFooterRecord(
        offset, 0, 1, ByteBuffer.allocate(256), new SnapshotFooterRecord());
  }

  static MemoryRecords data(long offset) {
    MemoryRecords batch = KafkaLog.anyRecords(2);
    batch.batches().forEach(each -> each.setLastOffset(offset + 1));
    return batch;
  }

  /** Writes a snapshot of KRaft beside the sample, and returns its name. */
  static String snapshot(StoredLog log, MemoryRecords... batches) throws Exception {
    Path directory = log.directory().resolveSibling("__cluster_metadata-0");
    Files.createDirectories(directory);
    for (MemoryRecords batch : List.of(batches)) {
      byte[] bytes = new byte[batch.sizeInBytes()];
      batch.buffer().duplicate().get(bytes);
      log.append(directory.resolve(CHECKPOINT), bytes);
    }
    return CHECKPOINT;
  }
}
