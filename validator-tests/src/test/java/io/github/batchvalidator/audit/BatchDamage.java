// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static io.github.batchvalidator.rule.Reason.BATCH_CRC_MISMATCH;

import io.github.batchvalidator.audit.StoredLog.Batch;
import java.nio.file.Files;
import java.util.stream.Stream;

/**
 * Damage of single batches. What the batch would have said is unknown, so no offset, no sequence
 * number, no transaction and no entry of an index may seem to be missing or wrong.
 */
final class BatchDamage {
  private BatchDamage() {}

  static Stream<Planted> all() {
    return Stream.of(
        checksum("the first batch of the partition", 0, 0),
        checksum("a batch of an idempotent producer", 0, 9),
        checksum("the last batch of a segment", 0, 39),
        checksum("the first batch of a transaction", 1, 0),
        checksum("the second batch of a transaction", 1, 2),
        checksum("a commit marker", 1, 3),
        checksum("the only batch of an aborted transaction", 1, 4),
        checksum("an abort marker", 1, 7),
        checksum("the second abort marker", 1, 9),
        checksum("a marker that starts a producer epoch", 2, 8),
        checksum("the first batch of a transaction of two segments", 2, 15),
        checksum("the abort marker of a transaction of two segments", 3, 1),
        checksum("a batch that starts a leader epoch", 5, 0),
        checksum("the last batch of the partition", 5, 5),
        new Planted(
            BATCH_CRC_MISMATCH,
            "a byte is wrong, and no index is there",
            log -> {
              log.deleteIndexes(1);
              return flip(log, 1, 7);
            }),
        new Planted(
            BATCH_CRC_MISMATCH,
            "a byte is wrong, and no producer snapshot is there",
            log -> {
              for (String name : log.snapshots()) {
                Files.delete(log.file(name));
              }
              return flip(log, 1, 5);
            }));
  }

  private static Planted checksum(String what, int segment, int batch) {
    return new Planted(
        BATCH_CRC_MISMATCH, "a byte is wrong in " + what, log -> flip(log, segment, batch));
  }

  private static String flip(StoredLog log, int segment, int index) throws Exception {
    Batch batch = log.batches(segment).get(index);
    int at = batch.position() + batch.bytes() - 2;
    log.edit(log.file(segment, ".log"), all -> all.put(at, (byte) ~all.get(at)));
    return log.at(segment, ".log", batch.position());
  }
}
