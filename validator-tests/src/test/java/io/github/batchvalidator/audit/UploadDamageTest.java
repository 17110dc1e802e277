// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.tiered.AuditingStorageManager;
import io.github.batchvalidator.tiered.ClosedSegment;
import io.github.batchvalidator.tiered.FakeManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of damage in a file of an upload refuses that upload, and the others pass. */
class UploadDamageTest {
  private static final int KINDS = 80;

  @TempDir private static Path samples;

  private static List<ClosedSegment> closed = List.of();

  @TempDir private Path data;

  private final FakeManager.Calls calls = new FakeManager.Calls();

  @BeforeAll
  static void writeSample() throws IOException {
    closed = ClosedSegment.list(SampleLog.write(samples));
  }

  private Path copy() throws IOException {
    StoredLog.restore(samples, data);
    return data.resolve("orders-3");
  }

  /** An upload that was refused. */
  private record Refusal(long base, String message) {}

  /** Uploads all closed segments, and returns the refusals. */
  private List<Refusal> upload(List<ClosedSegment> segments, List<LogSegmentData> files)
      throws IOException {
    List<Refusal> refused = new ArrayList<>();
    try (AuditingStorageManager manager = new AuditingStorageManager()) {
      manager.configure(FakeManager.settings(calls, "enforce"));
      calls.all().clear();
      for (int i = 0; i < segments.size(); i++) {
        try {
          manager.copyLogSegmentData(segments.get(i).metadata(), files.get(i));
        } catch (RemoteStorageException e) {
          assertEquals(RemoteStorageException.class, e.getClass(), "not the retriable one");
          refused.add(new Refusal(segments.get(i).base(), String.valueOf(e.getMessage())));
        }
      }
      assertEquals(segments.size() - refused.size(), calls.all().size());
    }
    return refused;
  }

  private List<Refusal> upload(Path partition) throws IOException {
    StoredLog.age(partition); // an audit waits for writes that may go on
    return upload(closed, closed.stream().map(each -> each.data(partition)).toList());
  }

  /** Returns true if a fault is in a file of an upload, and not in the history of producers. */
  private static boolean refuses(Planted damage, String where) {
    String file = where.substring(0, where.indexOf('@'));
    String reason = damage.reason().name();
    boolean isStored =
        reason.startsWith("PRODUCER_SEQUENCE_")
            || reason.startsWith("PRODUCER_EPOCH_")
            || reason.startsWith("TRANSACTION_COORDINATOR_")
            || reason.equals("TRANSACTION_INTERRUPTED");
    Path folder = Path.of("");
    return !isStored
        && closed.stream()
            .flatMap(
                each ->
                    Stream.of("log", "index", "timeindex", "txnindex", "snapshot")
                        .map(suffix -> each.file(folder, suffix).toString()))
            .anyMatch(file::equals);
  }

  @Test
  void damageOfAnUploadIsRefused() throws Exception {
    int kinds = 0;
    List<String> passed = new ArrayList<>();
    List<Planted> all = DamageTest.all().toList();
    for (Planted damage : all) {
      Path partition = copy();
      String where = damage.planting().plant(new StoredLog(partition));
      if (refuses(damage, where)) {
        kinds++;
        passed.addAll(upload(partition).isEmpty() ? List.of(damage.toString()) : List.of());
      }
    }
    assertEquals(List.of(), passed);
    assertTrue(kinds >= KINDS, Integer.toString(kinds));
  }

  @ParameterizedTest
  @MethodSource("checkpoints")
  void damageOfTheCheckpointInMemoryIsRefused(Planted damage) throws Exception {
    Path partition = copy();
    damage.planting().plant(new StoredLog(partition));
    String epochs = Files.readString(partition.resolve("leader-epoch-checkpoint"));
    List<Refusal> refused =
        upload(closed, closed.stream().map(each -> each.data(partition, epochs)).toList());
    assertTrue(
        refused.stream().anyMatch(each -> each.message.contains(damage.reason().name())),
        refused::toString);
  }

  static Stream<Planted> checkpoints() {
    String active = "the checkpoint has another last epoch"; // of no closed segment
    return CheckpointDamage.all().filter(each -> !each.what().equals(active));
  }

  @Test
  void theMessageNamesFilePositionOffsetAndReason() throws Exception {
    Path partition = copy();
    StoredLog log = new StoredLog(partition);
    StoredLog.Batch batch = log.batches(2).get(5);
    log.edit(
        log.file(2, ".log"),
        all -> {
          int at = batch.position() + batch.bytes() - 1;
          all.put(at, (byte) (all.get(at) ^ 1));
        });
    List<Refusal> refused = upload(partition);
    assertEquals(1, refused.size());
    String start =
        "The segment is damaged and is not uploaded: BATCH_CRC_MISMATCH in "
            + log.file(2, ".log")
            + ", byte "
            + batch.position()
            + ", offset "
            + batch.base()
            + ": the stored CRC is ";
    String message = refused.get(0).message;
    assertTrue(message.startsWith(start), message);
  }

  /** All replicas have it, so that a refusal could not be repaired. */
  @Test
  void aSequenceThatTheBrokerStoredIsOnlyCounted() throws Exception {
    Path partition = data.resolve("written-0");
    try (KafkaLog log = KafkaLog.open(partition)) {
      log.idempotent(1, 3).sequence(1, 9).fetched(log.batch(1, 2)).roll().plain(1);
    }
    List<ClosedSegment> segments = ClosedSegment.list(partition);
    List<LogSegmentData> files = segments.stream().map(each -> each.data(partition)).toList();
    assertEquals(List.of(), upload(segments, files));
  }
}
