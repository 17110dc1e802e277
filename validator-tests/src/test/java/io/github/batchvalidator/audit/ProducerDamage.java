// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static io.github.batchvalidator.audit.report.PartitionReason.PRODUCER_EPOCH_DECREASED;
import static io.github.batchvalidator.audit.report.PartitionReason.PRODUCER_SEQUENCE_MISSING;
import static io.github.batchvalidator.audit.report.PartitionReason.PRODUCER_SEQUENCE_NOT_ZERO;
import static io.github.batchvalidator.audit.report.PartitionReason.PRODUCER_SEQUENCE_REPEATED;
import static io.github.batchvalidator.audit.report.PartitionReason.PRODUCER_SNAPSHOT_MISMATCH;
import static io.github.batchvalidator.audit.report.PartitionReason.PRODUCER_SNAPSHOT_UNREADABLE;
import static io.github.batchvalidator.audit.report.PartitionReason.TRANSACTION_COORDINATOR_EPOCH_DECREASED;
import static io.github.batchvalidator.audit.report.PartitionReason.TRANSACTION_INTERRUPTED;
import static io.github.batchvalidator.audit.report.PartitionReason.TRANSACTION_MARKER_UNREADABLE;

import io.github.batchvalidator.audit.StoredLog.Batch;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.kafka.common.record.internal.ControlRecordType;

/** Damage of what producers wrote, and of the snapshots of their state. */
final class ProducerDamage {
  private static final long ID = 7;
  private static final int TRANSACTIONAL = 0x10;
  private static final int SNAPSHOT_HEAD = 10;
  private static final int SNAPSHOT_ENTRY = 46;

  /** The first byte of the key of a control record in a batch. */
  static final int MARKER_KEY = 61 + 5;

  private ProducerDamage() {}

  static Stream<Planted> all() {
    return Stream.of(sequences(), epochs(), transactions(), unreadableSnapshots(), otherSnapshots())
        .flatMap(each -> each);
  }

  private static Stream<Planted> sequences() {
    return Stream.of(
        Planted.written(
            PRODUCER_SEQUENCE_MISSING,
            "a sequence number is skipped",
            log -> log.idempotent(ID, 3).sequence(ID, 4).fetched(log.batch(ID, 2))),
        Planted.written(
            PRODUCER_SEQUENCE_MISSING,
            "a sequence number of a transaction is skipped",
            log -> log.transactional(ID, 3).sequence(ID, 9).fetched(log.transaction(ID, 2))),
        Planted.written(
            PRODUCER_SEQUENCE_MISSING,
            "a sequence number is skipped after the largest one",
            log ->
                log.sequence(ID, Integer.MAX_VALUE)
                    .fetched(log.batch(ID, 1))
                    .sequence(ID, 1)
                    .fetched(log.batch(ID, 1))),
        Planted.written(
            PRODUCER_SEQUENCE_REPEATED,
            "a batch is appended twice",
            log -> log.idempotent(ID, 3).sequence(ID, 0).fetched(log.batch(ID, 3))),
        Planted.written(
            PRODUCER_SEQUENCE_REPEATED,
            "the first sequence number is that of the last record",
            log -> log.idempotent(ID, 3).sequence(ID, 2).fetched(log.batch(ID, 3))),
        Planted.written(
            PRODUCER_SEQUENCE_NOT_ZERO,
            "a producer epoch starts with 5",
            log -> log.idempotent(ID, 3).nextEpoch(ID).sequence(ID, 5).fetched(log.batch(ID, 1))),
        Planted.written(
            PRODUCER_SEQUENCE_NOT_ZERO,
            "after a marker of the next epoch, sequence numbers go on",
            log ->
                log.transactional(ID, 3)
                    .nextEpoch(ID)
                    .abort(ID)
                    .sequence(ID, 3)
                    .fetched(log.transaction(ID, 1))));
  }

  private static Stream<Planted> epochs() {
    return Stream.of(
        Planted.written(
            PRODUCER_EPOCH_DECREASED,
            "a fenced producer has written",
            log -> log.nextEpoch(ID).idempotent(ID, 3).epoch(ID, 0).fetched(log.batch(ID, 1))),
        Planted.written(
            PRODUCER_EPOCH_DECREASED,
            "a marker has an earlier epoch",
            log ->
                log.nextEpoch(ID)
                    .transactional(ID, 3)
                    .epoch(ID, 0)
                    .fetched(log.marker(ID, ControlRecordType.COMMIT))),
        Planted.written(
            TRANSACTION_COORDINATOR_EPOCH_DECREASED,
            "a fenced coordinator has committed",
            log ->
                log.transactional(ID, 3)
                    .commit(ID)
                    .transactional(ID, 3)
                    .fetched(log.marker(ID, ControlRecordType.COMMIT, 2))),
        Planted.written(
            TRANSACTION_COORDINATOR_EPOCH_DECREASED,
            "a fenced coordinator has aborted",
            log ->
                log.transactional(ID, 3)
                    .abort(ID)
                    .transactional(ID, 3)
                    .fetched(log.marker(ID, ControlRecordType.ABORT, 0))));
  }

  private static Stream<Planted> transactions() {
    Consumer<ByteBuffer> plain =
        batch ->
            batch.put(
                StoredLog.attributes(),
                (byte) (batch.get(StoredLog.attributes()) & ~TRANSACTIONAL));
    return Stream.of(
        new Planted(
            TRANSACTION_INTERRUPTED,
            "the second batch of a transaction is not transactional",
            log -> edit(log, 1, 2, plain)),
        new Planted(
            TRANSACTION_INTERRUPTED,
            "the second batch of a fetched transaction is not transactional",
            log -> edit(log, 4, 5, plain)),
        new Planted(
            TRANSACTION_MARKER_UNREADABLE,
            "the key of a commit marker has a negative version",
            log -> edit(log, 1, 3, batch -> batch.putShort(MARKER_KEY, (short) -1))),
        new Planted(
            TRANSACTION_MARKER_UNREADABLE,
            "the key of an abort marker has a negative version",
            log -> edit(log, 1, 7, batch -> batch.putShort(MARKER_KEY, (short) -1))),
        new Planted(
            TRANSACTION_MARKER_UNREADABLE,
            "a marker has an unknown type",
            log -> edit(log, 2, 2, batch -> batch.putShort(MARKER_KEY + 2, (short) 99))),
        new Planted(
            TRANSACTION_MARKER_UNREADABLE,
            "the value of a marker has a negative version",
            log -> edit(log, 2, 5, batch -> batch.putShort(MARKER_KEY + 5, (short) -1))));
  }

  private static String edit(StoredLog log, int segment, int index, Consumer<ByteBuffer> change)
      throws Exception {
    Batch batch = log.batches(segment).get(index);
    log.editBatch(segment, batch, change);
    return log.at(segment, ".log", batch.position());
  }

  private static Stream<Planted> unreadableSnapshots() {
    return Stream.of(
        unreadable("has version 2", all -> all.putShort(0, (short) 2)),
        unreadable("has a wrong checksum", all -> all.put(2, (byte) ~all.get(2))),
        unreadable("has a damaged producer", all -> all.put(20, (byte) ~all.get(20))),
        unreadable("has another number of producers", all -> all.putInt(6, 1)),
        cut("is cut inside a producer", SNAPSHOT_HEAD + SNAPSHOT_ENTRY + 5),
        cut("is empty", 0),
        cut("is cut inside its header", 7));
  }

  private static Planted unreadable(String what, Consumer<ByteBuffer> change) {
    return new Planted(
        PRODUCER_SNAPSHOT_UNREADABLE,
        "a producer snapshot " + what,
        log -> {
          String name = log.snapshots().get(2);
          log.edit(log.file(name), change);
          return name + "@0";
        });
  }

  private static Planted cut(String what, int bytes) {
    return new Planted(
        PRODUCER_SNAPSHOT_UNREADABLE,
        "a producer snapshot " + what,
        log -> {
          String name = log.snapshots().get(2);
          log.truncate(log.file(name), bytes);
          return name + "@0";
        });
  }

  private static Stream<Planted> otherSnapshots() {
    return Stream.of(
        other("has a producer that the log lacks", entry -> entry.putLong(0, 99)),
        other("has another epoch", entry -> entry.putShort(8, (short) 8)),
        other("has another last sequence", entry -> entry.putInt(10, entry.getInt(10) + 1)),
        other("has another last offset", entry -> entry.putLong(14, entry.getLong(14) - 1)),
        other("has another last timestamp", entry -> entry.putLong(26, entry.getLong(26) + 1)),
        other("has an open transaction", entry -> entry.putLong(38, 100)),
        other("has a coordinator that wrote no marker", entry -> entry.putInt(34, 0)),
        other(
            "has an earlier coordinator",
            SampleLog.TRANSACTIONAL,
            entry -> entry.putInt(34, entry.getInt(34) - 1)),
        new Planted(
            PRODUCER_SNAPSHOT_MISMATCH,
            "a producer snapshot has the state of an earlier offset",
            log -> {
              byte[] earlier = Files.readAllBytes(log.file(log.snapshots().get(0)));
              String name = log.snapshots().get(5);
              Files.write(log.file(name), one(earlier));
              return name + "@0";
            }));
  }

  private static Planted other(String what, Consumer<ByteBuffer> change) {
    return other(what, SampleLog.IDEMPOTENT, change);
  }

  /** Changes a producer of a snapshot and makes the checksum right again. */
  private static Planted other(String what, long producer, Consumer<ByteBuffer> change) {
    return new Planted(
        PRODUCER_SNAPSHOT_MISMATCH,
        "a producer snapshot " + what,
        log -> {
          String name = log.snapshots().get(2);
          log.edit(
              log.file(name),
              all -> {
                change.accept(entry(all, producer));
                fixCrc(all);
              });
          return name + "@0";
        });
  }

  private static ByteBuffer entry(ByteBuffer snapshot, long producer) {
    int at = SNAPSHOT_HEAD;
    while (snapshot.getLong(at) != producer) {
      at += SNAPSHOT_ENTRY;
    }
    return snapshot.slice(at, SNAPSHOT_ENTRY);
  }

  /** Returns a snapshot with only the first producer of another one. */
  private static byte[] one(byte[] snapshot) {
    ByteBuffer first = ByteBuffer.wrap(Arrays.copyOf(snapshot, SNAPSHOT_HEAD + SNAPSHOT_ENTRY));
    first.putInt(6, 1);
    fixCrc(first);
    return first.array();
  }

  private static void fixCrc(ByteBuffer snapshot) {
    CRC32C crc = new CRC32C();
    crc.update(snapshot.slice(6, snapshot.limit() - 6));
    snapshot.putInt(2, (int) crc.getValue());
  }
}
