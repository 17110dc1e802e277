// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.ControlRecordType;

/**
 * A partition with something of everything: six segments, all codecs, five leader epochs,
 * idempotent and transactional producers, and transactions that commit, abort and stay open.
 *
 * <p>The content is the same each time, so tests may name positions.
 */
public final class SampleLog {
  static final int SEGMENTS = 6;
  static final long IDEMPOTENT = 1;
  static final long OTHER_IDEMPOTENT = 2;
  static final long TRANSACTIONAL = 11;
  static final long OTHER_TRANSACTIONAL = 12;
  static final long BUMPED = 13;

  private static final Map<String, byte[]> FILES = new TreeMap<>();

  private SampleLog() {}

  /** Writes the partition {@code orders-3} and returns its directory. */
  public static Path write(Path data) throws IOException {
    Path directory = data.resolve("orders-3");
    if (FILES.isEmpty()) {
      writeByKafka(directory);
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          FILES.put(file.getFileName().toString(), Files.readAllBytes(file));
        }
      }
    } else {
      Files.createDirectories(directory);
      for (Map.Entry<String, byte[]> file : FILES.entrySet()) {
        Files.write(directory.resolve(file.getKey()), file.getValue());
      }
    }
    return directory;
  }

  private static void writeByKafka(Path directory) throws IOException {
    try (KafkaLog log = KafkaLog.open(directory)) {
      idempotentProducers(log);
      log.roll();
      transactions(log);
      log.roll();
      transactionAcrossSegments(log);
      log.roll();
      fetchedByAFollower(log);
      log.roll();
      openTransactions(log);
    }
  }

  private static void idempotentProducers(KafkaLog log) throws IOException {
    for (Codec codec : Codec.values()) {
      log.codec(codec).plain(4).plain(1);
      log.idempotent(IDEMPOTENT, 3).idempotent(OTHER_IDEMPOTENT, 2);
      log.idempotent(IDEMPOTENT, 5);
    }
    log.nextLeader();
    for (Codec codec : Codec.values()) {
      log.codec(codec).idempotent(IDEMPOTENT, 2).idempotent(OTHER_IDEMPOTENT, 6).plain(2);
    }
    log.codec(Codec.NONE);
  }

  private static void transactions(KafkaLog log) throws IOException {
    log.transactional(TRANSACTIONAL, 3).plain(2).transactional(TRANSACTIONAL, 2);
    log.commit(TRANSACTIONAL);
    log.transactional(TRANSACTIONAL, 2).transactional(OTHER_TRANSACTIONAL, 4).plain(1);
    log.abort(TRANSACTIONAL).transactional(OTHER_TRANSACTIONAL, 1).abort(OTHER_TRANSACTIONAL);
    log.nextLeader().nextLeader();
    log.codec(Codec.ZSTD).transactional(OTHER_TRANSACTIONAL, 9).idempotent(IDEMPOTENT, 4);
    log.commit(OTHER_TRANSACTIONAL).commit(OTHER_TRANSACTIONAL).codec(Codec.NONE);
  }

  /** Each transaction has a producer epoch of its own, as of version 2. */
  private static void transactionAcrossSegments(KafkaLog log) throws IOException {
    for (int i = 0; i < 5; i++) {
      log.transactional(BUMPED, 3).plain(3).nextEpoch(BUMPED).commit(BUMPED);
    }
    log.transactional(BUMPED, 3).plain(3).transactional(TRANSACTIONAL, 2);
    log.roll();
    log.plain(5).nextEpoch(BUMPED).abort(BUMPED).plain(2).abort(TRANSACTIONAL).plain(4);
  }

  private static void fetchedByAFollower(KafkaLog log) throws IOException {
    log.transactional(TRANSACTIONAL, 2).plain(2);
    log.fetched(
        log.marker(TRANSACTIONAL, ControlRecordType.ABORT),
        log.data(2),
        log.transaction(OTHER_TRANSACTIONAL, 3),
        log.transaction(OTHER_TRANSACTIONAL, 3));
    log.plain(6).commit(OTHER_TRANSACTIONAL);
  }

  private static void openTransactions(KafkaLog log) throws IOException {
    log.nextLeader().transactional(TRANSACTIONAL, 2).plain(3).plain(3);
    log.transactional(OTHER_TRANSACTIONAL, 2).idempotent(IDEMPOTENT, 7).plain(1);
  }
}
