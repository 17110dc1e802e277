// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Logs that Kafka's own classes append to, roll, delete and compact in one thread, while another
 * thread audits or scrubs them again and again.
 */
class LiveLogIT {
  private static final int RUNS = 300;

  /** A scrub reads slowly, so that more changes fall into each run. */
  private static final int SCRUBS = 100;

  private static final long PAUSE_NANOS = 100_000;
  private static final int SEGMENTS_KEPT = 4;

  @TempDir private Path data;

  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** Changes a log once. */
  private interface Step {
    void make(KafkaLog log, int number) throws Exception;
  }

  /** Reads all files, asserts that they have no fault, and returns the number of batches. */
  private interface Reader {
    long read(int run) throws Exception;
  }

  private long audit(int run) throws InterruptedException {
    Audited audited = Audited.of(data);
    assertEquals(List.of(), audited.messages(), "run " + run);
    assertEquals(List.of(), audited.errors(), "run " + run);
    return audited.files().stream().mapToLong(each -> each.tally().batches()).sum();
  }

  /** Scrubs past the page cache, and through it. */
  private long scrub(int run) {
    Scrubbed scrubbed = new Scrubbed(data, Duration.ofHours(run % 2)).rate("5MB/s");
    scrubbed.watched(scrub -> LockSupport.parkNanos(PAUSE_NANOS)).once();
    assertEquals(List.of(), scrubbed.faults(), "run " + run);
    assertEquals(List.of(), scrubbed.errors(), "run " + run);
    return scrubbed.passes().get(0).tally().batches();
  }

  private void readWhile(boolean scrubs, Map<String, String> settings, Step step) throws Exception {
    Reader reader = scrubs ? this::scrub : this::audit;
    int runs = scrubs ? SCRUBS : RUNS;
    try (KafkaLog log = KafkaLog.open(data.resolve("orders-3"), settings)) {
      log.keys(30).plain(1);
      Thread writer = new Thread(() -> repeat(log, step), "broker");
      writer.start();
      try {
        long batches = 0;
        for (int run = 0; run < runs; run++) {
          batches += reader.read(run);
        }
        assertTrue(batches > runs, () -> "nothing was read");
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void appendAndRoll(boolean scrubs) throws Exception {
    readWhile(
        scrubs,
        Map.of(),
        (log, number) -> {
          append(log, number);
          if (number % 40 == 0) {
            log.roll();
            retain(log);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void retention(boolean scrubs) throws Exception {
    readWhile(
        scrubs,
        Map.of(),
        (log, number) -> {
          append(log, number);
          log.roll();
          retain(log);
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void compaction(boolean scrubs) throws Exception {
    readWhile(
        scrubs,
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
