// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logs that Kafka's own classes append to, roll, delete and compact in one thread, while another
 * thread audits them again and again.
 */
class LiveLogIT {
  private static final int RUNS = 300;
  private static final int SEGMENTS_KEPT = 4;

  @TempDir private Path data;

  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** Changes a log once. */
  private interface Step {
    void make(KafkaLog log, int number) throws Exception;
  }

  private void auditWhile(Map<String, String> settings, Step step) throws Exception {
    try (KafkaLog log = KafkaLog.open(data.resolve("orders-3"), settings)) {
      log.keys(30).plain(1);
      Thread writer = new Thread(() -> repeat(log, step), "broker");
      writer.start();
      try {
        long batches = 0;
        for (int run = 0; run < RUNS; run++) {
          Audited audited = Audited.of(data);
          assertEquals(List.of(), audited.messages(), "run " + run);
          assertEquals(List.of(), audited.errors(), "run " + run);
          batches += audited.files().stream().mapToLong(each -> each.tally().batches()).sum();
        }
        assertTrue(batches > RUNS, () -> "nothing was read");
      } finally {
        ended.set(true);
        writer.join();
      }
    }
    assertEquals(null, failure.get());
    assertEquals(List.of(), Audited.of(data).messages());
  }

  private void repeat(KafkaLog log, Step step) {
    try {
      for (int number = 0; !ended.get(); number++) {
        step.make(log, number);
      }
    } catch (Exception | Error e) {
      failure.set(e);
    }
  }

  private static void append(KafkaLog log, int number) throws Exception {
    Codec[] codecs = Codec.values();
    log.codec(codecs[number % codecs.length]).plain(7).idempotent(1, 2).transactional(2, 3);
    log.transactional(3, 1).abort(2).plain(2);
    if (number % 2 == 0) {
      log.commit(3);
    } else {
      log.abort(3);
    }
    if (number % 17 == 0) {
      log.nextLeader();
    }
  }

  /** Deletes all but the last segments. */
  private static void retain(KafkaLog log) throws IOException {
    List<Long> bases =
        log.kafka().logSegments().stream().map(segment -> segment.baseOffset()).toList();
    if (bases.size() > SEGMENTS_KEPT) {
      log.kafka()
          .maybeIncrementLogStartOffset(
              bases.get(bases.size() - SEGMENTS_KEPT),
              LogStartOffsetIncrementReason.ClientRecordDeletion);
      log.kafka().deleteOldSegments();
    }
  }

  @Test
  void appendAndRoll() throws Exception {
    auditWhile(
        Map.of(),
        (log, number) -> {
          append(log, number);
          if (number % 40 == 0) {
            log.roll();
            retain(log);
          }
        });
  }

  @Test
  void retention() throws Exception {
    auditWhile(
        Map.of(),
        (log, number) -> {
          append(log, number);
          log.roll();
          retain(log);
        });
  }

  @Test
  void compaction() throws Exception {
    auditWhile(
        CompactedLogTest.COMPACT,
        (log, number) -> {
          append(log, number);
          if (number % 5 == 0) {
            log.roll();
          }
          if (number % 10 == 0) {
            CompactedLogTest.clean(log);
          }
        });
  }
}
