// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static io.github.batchvalidator.audit.StoredLog.INDEX_ENTRY;
import static io.github.batchvalidator.audit.StoredLog.TIME_INDEX_ENTRY;
import static io.github.batchvalidator.audit.StoredLog.TXN_INDEX_ENTRY;
import static io.github.batchvalidator.audit.report.PartitionReason.INDEX_OFFSET_MISMATCH;
import static io.github.batchvalidator.audit.report.PartitionReason.INDEX_OUT_OF_ORDER;
import static io.github.batchvalidator.audit.report.PartitionReason.INDEX_POSITION_INVALID;
import static io.github.batchvalidator.audit.report.PartitionReason.INDEX_SIZE_INVALID;
import static io.github.batchvalidator.audit.report.PartitionReason.TIMEINDEX_OFFSET_INVALID;
import static io.github.batchvalidator.audit.report.PartitionReason.TIMEINDEX_TIMESTAMP_MISMATCH;
import static io.github.batchvalidator.audit.report.PartitionReason.TXNINDEX_ENTRY_MISMATCH;
import static io.github.batchvalidator.audit.report.PartitionReason.TXNINDEX_ENTRY_MISSING;
import static io.github.batchvalidator.audit.report.PartitionReason.TXNINDEX_ENTRY_UNKNOWN;
import static io.github.batchvalidator.audit.report.PartitionReason.TXNINDEX_VERSION_UNKNOWN;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Damage of indexes. Each entry is damaged in the middle of its index if it has a middle. */
final class IndexDamage {
  private static final int ENTRY = 5;
  private static final int OFFSET = 0;
  private static final int POSITION = 4;
  private static final int TIME = 0;
  private static final int TIME_OFFSET = 8;
  private static final int TXN_PRODUCER = 2;
  private static final int TXN_FIRST = 10;
  private static final int TXN_LAST = 18;
  private static final int TXN_STABLE = 26;

  private IndexDamage() {}

  static Stream<Planted> all() {
    return Stream.of(sizesAndOrder(), offsetIndex(), timeIndex(), txnEntries(), txnFields())
        .flatMap(each -> each);
  }

  private static Stream<Planted> sizesAndOrder() {
    return Stream.of(
        new Planted(
            INDEX_SIZE_INVALID,
            "an offset index is cut inside an entry",
            log -> {
              log.truncate(log.file(0, ".index"), ENTRY * INDEX_ENTRY + 3);
              return log.at(0, ".index", ENTRY * INDEX_ENTRY);
            }),
        new Planted(
            INDEX_SIZE_INVALID,
            "a time index has a byte more",
            log -> {
              long size = Files.size(log.file(0, ".timeindex"));
              log.append(log.file(0, ".timeindex"), (byte) 1);
              return log.at(0, ".timeindex", size);
            }),
        new Planted(
            INDEX_SIZE_INVALID,
            "a transaction index has some bytes more",
            log -> {
              log.append(log.file(1, ".txnindex"), new byte[5]);
              return log.at(1, ".txnindex", 2 * TXN_INDEX_ENTRY);
            }),
        new Planted(
            INDEX_OUT_OF_ORDER,
            "an entry of an offset index is there twice",
            log -> twice(log, 0, ".index", ENTRY, INDEX_ENTRY)),
        new Planted(
            INDEX_OUT_OF_ORDER,
            "an entry of an offset index points behind the entries after it",
            log -> {
              int far = log.batches(0).get(38).position();
              return set(log, 0, ".index", ENTRY, POSITION, far);
            }),
        new Planted(
            INDEX_OUT_OF_ORDER,
            "an entry of an offset index is zero",
            log -> {
              set(log, 0, ".index", ENTRY, POSITION, 0);
              return set(log, 0, ".index", ENTRY, OFFSET, 0);
            }),
        new Planted(
            INDEX_OUT_OF_ORDER,
            "an entry of an offset index has a negative position",
            log -> set(log, 0, ".index", ENTRY, POSITION, -100)),
        new Planted(
            INDEX_OUT_OF_ORDER,
            "an entry of a time index is there twice",
            log -> twice(log, 0, ".timeindex", ENTRY, TIME_INDEX_ENTRY)),
        new Planted(
            INDEX_OUT_OF_ORDER,
            "an entry of a time index has an offset behind the entries after it",
            log -> set(log, 0, ".timeindex", ENTRY, TIME_OFFSET, 124)),
        new Planted(
            INDEX_OUT_OF_ORDER,
            "an entry of a transaction index is there twice",
            log -> twice(log, 1, ".txnindex", 0, TXN_INDEX_ENTRY)));
  }

  private static Stream<Planted> offsetIndex() {
    return Stream.of(
        new Planted(
            INDEX_POSITION_INVALID,
            "an entry points to the second byte of a batch",
            log -> add(log, 0, ".index", ENTRY, POSITION, 1)),
        new Planted(
            INDEX_POSITION_INVALID,
            "an entry points to the byte before a batch",
            log -> add(log, 0, ".index", ENTRY, POSITION, -1)),
        new Planted(
            INDEX_POSITION_INVALID,
            "an entry points to the end of the segment",
            log -> {
              long entries = Files.size(log.file(0, ".index")) / INDEX_ENTRY;
              int size = (int) Files.size(log.file(0, ".log"));
              log.append(log.file(0, ".index"), entry(124, size));
              return log.at(0, ".index", entries * INDEX_ENTRY);
            }),
        new Planted(
            INDEX_OFFSET_MISMATCH,
            "an entry has the offset before the last one of its batch",
            log -> add(log, 0, ".index", ENTRY, OFFSET, -1)),
        new Planted(
            INDEX_OFFSET_MISMATCH,
            "an entry has an offset inside the next batch",
            log -> add(log, 0, ".index", ENTRY, OFFSET, 1)),
        new Planted(
            INDEX_OFFSET_MISMATCH,
            "an entry has an offset far behind its batch",
            log -> add(log, 0, ".index", ENTRY, OFFSET, 1_000_000)),
        new Planted(
            INDEX_OFFSET_MISMATCH,
            "an entry points to the batch before its own",
            log -> {
              ByteBuffer index = ByteBuffer.wrap(Files.readAllBytes(log.file(0, ".index")));
              int position = index.getInt(ENTRY * INDEX_ENTRY + POSITION);
              int before =
                  log.batches(0).stream()
                      .mapToInt(StoredLog.Batch::position)
                      .filter(each -> each < position)
                      .max()
                      .orElseThrow();
              add(log, 0, ".index", ENTRY, OFFSET, 1);
              return set(log, 0, ".index", ENTRY, POSITION, before);
            }));
  }

  private static Stream<Planted> timeIndex() {
    return Stream.of(
        new Planted(
            TIMEINDEX_OFFSET_INVALID,
            "an entry of a time index has an offset inside a batch",
            log -> add(log, 0, ".timeindex", ENTRY, TIME_OFFSET, -1)),
        new Planted(
            TIMEINDEX_OFFSET_INVALID,
            "an entry of a time index has an offset after the segment",
            log -> {
              long size = Files.size(log.file(0, ".timeindex"));
              log.append(
                  log.file(0, ".timeindex"),
                  ByteBuffer.allocate(TIME_INDEX_ENTRY)
                      .putLong(Long.MAX_VALUE)
                      .putInt(500)
                      .array());
              return log.at(0, ".timeindex", size);
            }),
        new Planted(
            TIMEINDEX_TIMESTAMP_MISMATCH,
            "a timestamp is raised",
            log -> addLong(log, 0, ".timeindex", ENTRY, TIME, 1)),
        new Planted(
            TIMEINDEX_TIMESTAMP_MISMATCH,
            "a timestamp is lowered",
            log -> addLong(log, 0, ".timeindex", ENTRY, TIME, -1)),
        new Planted(
            TIMEINDEX_TIMESTAMP_MISMATCH,
            "the last timestamp is in microseconds",
            log -> {
              int last = (int) Files.size(log.file(2, ".timeindex")) / TIME_INDEX_ENTRY - 1;
              return addLong(log, 2, ".timeindex", last, TIME, 1L << 50);
            }));
  }

  private static Stream<Planted> txnEntries() {
    return Stream.of(
        new Planted(
            TXNINDEX_VERSION_UNKNOWN,
            "an entry of a transaction index has version 1",
            log -> version(log, 0, 1)),
        new Planted(
            TXNINDEX_VERSION_UNKNOWN,
            "the last entry of a transaction index has version -1",
            log -> version(log, 1, -1)),
        new Planted(
            TXNINDEX_ENTRY_MISSING,
            "a transaction index is deleted",
            log -> {
              Files.delete(log.file(4, ".txnindex"));
              return log.at(4, ".log", log.batches(4).get(2).position());
            }),
        new Planted(
            TXNINDEX_ENTRY_MISSING,
            "the last entry of a transaction index is cut off",
            log -> {
              log.truncate(log.file(1, ".txnindex"), TXN_INDEX_ENTRY);
              return log.at(1, ".log", log.batches(1).get(9).position());
            }),
        new Planted(
            TXNINDEX_ENTRY_MISSING,
            "the first entry of a transaction index is cut out",
            log -> {
              log.cut(log.file(3, ".txnindex"), 0, TXN_INDEX_ENTRY);
              return log.at(3, ".log", log.batches(3).get(1).position());
            }),
        new Planted(
            TXNINDEX_ENTRY_UNKNOWN,
            "an entry names a transaction that was committed",
            log -> {
              log.append(log.file(1, ".txnindex"), aborted(12, 143, 156, 157));
              return log.at(1, ".txnindex", 2 * TXN_INDEX_ENTRY);
            }),
        new Planted(
            TXNINDEX_ENTRY_UNKNOWN,
            "a segment without aborted transactions has an entry",
            log -> {
              log.append(log.file(0, ".txnindex"), aborted(1, 75, 85, 86));
              return log.at(0, ".txnindex", 0);
            }),
        new Planted(
            TXNINDEX_ENTRY_UNKNOWN,
            "an entry before the others names no transaction",
            log -> {
              Path index = log.file(1, ".txnindex");
              byte[] others = Files.readAllBytes(index);
              Files.write(index, aborted(11, 125, 132, 133));
              log.append(index, others);
              return log.at(1, ".txnindex", 0);
            }));
  }

  private static Stream<Planted> txnFields() {
    return Stream.of(
        new Planted(
            TXNINDEX_ENTRY_MISMATCH,
            "the producer of a transaction is wrong",
            log -> addLong(log, 1, ".txnindex", 1, TXN_PRODUCER, 100)),
        new Planted(
            TXNINDEX_ENTRY_MISMATCH,
            "the first offset of a transaction is raised",
            log -> addLong(log, 1, ".txnindex", 0, TXN_FIRST, 1)),
        new Planted(
            TXNINDEX_ENTRY_MISMATCH,
            "the first offset of a transaction of two segments is lowered",
            log -> addLong(log, 3, ".txnindex", 1, TXN_FIRST, -1)),
        new Planted(
            TXNINDEX_ENTRY_MISMATCH,
            "the last offset of a transaction is raised",
            log -> addLong(log, 3, ".txnindex", 1, TXN_LAST, 1)),
        new Planted(
            TXNINDEX_ENTRY_MISMATCH,
            "the last offset of a transaction is lowered",
            log -> addLong(log, 1, ".txnindex", 0, TXN_LAST, -1)),
        new Planted(
            TXNINDEX_ENTRY_MISMATCH,
            "the last stable offset is not the start of the open transaction",
            log -> addLong(log, 1, ".txnindex", 0, TXN_STABLE, 1)),
        new Planted(
            TXNINDEX_ENTRY_MISMATCH,
            "the last stable offset is raised, no transaction is open",
            log -> addLong(log, 1, ".txnindex", 1, TXN_STABLE, 1)),
        new Planted(
            TXNINDEX_ENTRY_MISMATCH,
            "the last stable offset is raised, no transaction follows",
            log -> addLong(log, 3, ".txnindex", 1, TXN_STABLE, 3)),
        new Planted(
            TXNINDEX_ENTRY_MISMATCH,
            "the last stable offset is raised in a fetched part",
            log -> addLong(log, 4, ".txnindex", 0, TXN_STABLE, 1)));
  }

  private static byte[] entry(int offset, int position) {
    return ByteBuffer.allocate(INDEX_ENTRY).putInt(offset).putInt(position).array();
  }

  private static byte[] aborted(long producer, long first, long last, long stable) {
    ByteBuffer entry = ByteBuffer.allocate(TXN_INDEX_ENTRY).putShort((short) 0).putLong(producer);
    return entry.putLong(first).putLong(last).putLong(stable).array();
  }

  private static String twice(StoredLog log, int segment, String suffix, int entry, int bytes)
      throws Exception {
    int end = (entry + 1) * bytes;
    log.copy(log.file(segment, suffix), entry * bytes, end, end);
    return log.at(segment, suffix, end);
  }

  private static String version(StoredLog log, int entry, int version) throws Exception {
    int at = entry * TXN_INDEX_ENTRY;
    log.edit(log.file(1, ".txnindex"), all -> all.putShort(at, (short) version));
    return log.at(1, ".txnindex", at);
  }

  private static int entryBytes(String suffix) {
    return switch (suffix) {
      case ".index" -> INDEX_ENTRY;
      case ".timeindex" -> TIME_INDEX_ENTRY;
      default -> TXN_INDEX_ENTRY;
    };
  }

  private static String set(
      StoredLog log, int segment, String suffix, int entry, int field, int value) throws Exception {
    int bytes = entryBytes(suffix);
    int at = entry * bytes + field;
    log.edit(log.file(segment, suffix), all -> all.putInt(at, value));
    return log.at(segment, suffix, (long) entry * bytes);
  }

  private static String add(
      StoredLog log, int segment, String suffix, int entry, int field, int value) throws Exception {
    int bytes = entryBytes(suffix);
    int at = entry * bytes + field;
    log.edit(log.file(segment, suffix), all -> all.putInt(at, all.getInt(at) + value));
    return log.at(segment, suffix, (long) entry * bytes);
  }

  private static String addLong(
      StoredLog log, int segment, String suffix, int entry, int field, long value)
      throws Exception {
    int bytes = entryBytes(suffix);
    int at = entry * bytes + field;
    log.edit(log.file(segment, suffix), all -> all.putLong(at, all.getLong(at) + value));
    return log.at(segment, suffix, (long) entry * bytes);
  }
}
