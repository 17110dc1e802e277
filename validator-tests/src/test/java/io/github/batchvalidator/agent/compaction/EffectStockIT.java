// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import static io.github.batchvalidator.agent.compaction.CompactedPartition.SECOND;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.batch;
import static io.github.batchvalidator.agent.compaction.CompactedPartition.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What stops a partition is what stock Kafka hides, drops or fails on. Stock Kafka compacts the
 * same bytes twice: with a record that a later segment supersedes, and with none.
 */
class EffectStockIT {
  private static final int SEEDS = 3;
  private static final int FLIPPED = 2000;
  private static final String FIRST = "00000000000000000000.log";

  /** They need a library that is missing, or a heap that is full. Kafka's own reader decides. */
  private static final Set<String> WITHOUT_BYTES =
      Set.of("CODEC_UNAVAILABLE", "CODEC_OUT_OF_MEMORY", "LIMIT_CODEC_MEMORY");

  @TempDir private Path root;
  private int written;

  @Test
  void eachReasonHasBytesThatAreTried() {
    Set<String> tried = new TreeSet<>();
    StoredFaults.all().forEach(each -> tried.add(each.reason().name()));
    Map<String, Effect> effects = Effect.byName();
    effects.values().removeIf(effect -> effect == Effect.NEVER);
    effects.keySet().removeAll(WITHOUT_BYTES);
    assertEquals(effects.keySet(), tried);
  }

  @Test
  void theGuardStopsWhatStockHidesDropsOrFailsOn() throws Exception {
    for (StoredFault each : StoredFaults.all()) {
      for (int seed = 0; seed < SEEDS; seed++) {
        BatchCheck check = check(write(each, seed, "z").resolve(FIRST));
        boolean isStopped = each.outcome().isStopped();
        String stops = check.faults().toString();
        assertEquals(isStopped, stops.contains(": " + each.reason() + ": "), () -> each + stops);
        String counts = check.counted().toString();
        assertEquals(!isStopped, counts.contains(each.reason() + "="), () -> each + counts);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.1", "4.2.0", "4.2.2", "4.3.1", "4.4.0"})
  void stockKafkaHidesDropsOrFails(String version) throws Exception {
    try (CleaningSide stock = CleaningSide.stock(version)) {
      for (StoredFault each : StoredFaults.all()) {
        for (int seed = 0; seed < (version.equals("4.3.1") ? SEEDS : 1); seed++) {
          Path superseded = write(each, seed, "k");
          Path other = write(each, seed, "z");
          assertOutcome(each, stock, superseded, other);
        }
      }
    }
  }

  /** Also errors, which would end the thread of Kafka's cleaner. */
  @Test
  void whatTheGuardPassesIsReadByStock() throws Exception {
    Path segment = root.resolve(FIRST);
    StockRead stock = new StockRead();
    int errors = 0;
    for (Codec codec : Codec.values()) {
      for (int seed = 0; seed < FLIPPED; seed++) {
        byte[] batch = StoredStreams.flipped(codec, new SplittableRandom(seed));
        Files.write(segment, batch);
        Throwable thrown = stock.failure(ByteBuffer.wrap(batch));
        if (thrown != null) {
          errors += thrown instanceof Error ? 1 : 0;
          int number = seed;
          assertFalse(check(segment).faults().isEmpty(), () -> codec + " " + number + thrown);
        }
      }
    }
    assertTrue(errors > 0, "no stream ends the thread");
  }

  /** Writes a partition with the fault, and a second segment with a record of a key. */
  private Path write(StoredFault fault, int seed, String key) throws IOException {
    Path directory = root.resolve(String.valueOf(written++)).resolve("t-0");
    CompactedPartition partition = new CompactedPartition(directory);
    partition.first(ByteBuffer.wrap(fault.draw().apply(new SplittableRandom(seed))));
    partition.second(batch(SECOND, Codec.NONE, put(key, "newest")));
    return partition.write();
  }

  private static void assertOutcome(
      StoredFault fault, CleaningSide stock, Path superseded, Path other) throws Exception {
    switch (fault.outcome()) {
      case FAILS -> {
        assertFails(fault, stock, superseded, Exception.class);
        assertFails(fault, stock, other, Exception.class);
      }
      case ENDS -> {
        assertFails(fault, stock, superseded, Error.class);
        assertFails(fault, stock, other, Error.class);
      }
      case HIDES -> {
        assertEquals("compacted", stock.clean(superseded, 0), fault::toString);
        assertTrue(StockRecords.last(superseded).containsKey("l"), fault::toString);
        BatchCheck after = check(superseded.resolve(FIRST));
        assertEquals("[] {}", after.faults() + " " + after.counted(), fault::toString);
      }
      case CHANGES -> {
        Map<String, String> before = StockRecords.last(superseded);
        assertEquals("compacted", stock.clean(superseded, 0), fault::toString);
        assertNotEquals(before, StockRecords.last(superseded), fault::toString);
      }
      case KEEPS -> {
        assertKeeps(fault, stock, superseded);
        assertKeeps(fault, stock, other);
      }
      case DEPENDS -> assertDepends(fault, stock, superseded, other);
    }
  }

  private static void assertKeeps(StoredFault fault, CleaningSide stock, Path partition)
      throws Exception {
    Map<String, String> before = StockRecords.last(partition);
    assertEquals("compacted", stock.clean(partition, 0), fault::toString);
    assertEquals(before, StockRecords.last(partition), fault::toString);
    assertFalse(before.containsKey(StockRecords.UNREADABLE), fault::toString);
  }

  /** Asserts that Kafka throws, and leaves the segments as they are. */
  private static void assertFails(
      StoredFault fault, CleaningSide stock, Path partition, Class<?> type) throws Exception {
    Map<String, String> before = CompactedPartition.logs(partition);
    String thrown = stock.clean(partition, 0);
    Class<?> actual = Class.forName(thrown.substring(0, thrown.indexOf(':')));
    assertTrue(type.isAssignableFrom(actual), () -> fault + ": " + thrown);
    assertFalse(IOException.class.isAssignableFrom(actual), () -> fault + ": " + thrown);
    assertTrue(
        CompactedPartition.logs(partition).entrySet().containsAll(before.entrySet()),
        fault::toString);
  }

  private static void assertDepends(
      StoredFault fault, CleaningSide stock, Path superseded, Path other) throws Exception {
    int failed = 0;
    for (Path each : new Path[] {superseded, other}) {
      Map<String, String> before = CompactedPartition.logs(each);
      Map<String, String> records = StockRecords.last(each);
      String result = stock.clean(each, 0);
      if (result.equals("compacted")) {
        records.remove(StockRecords.UNREADABLE); // it was in the superseded record
        assertEquals(records, StockRecords.last(each), fault::toString);
      } else {
        failed++;
        assertTrue(
            CompactedPartition.logs(each).entrySet().containsAll(before.entrySet()),
            fault::toString);
      }
    }
    assertTrue(failed > 0, fault::toString);
  }

  private static BatchCheck check(Path segment) throws IOException {
    BatchCheck batches = new BatchCheck();
    SegmentCheck check = new SegmentCheck(batches);
    check.open(segment, 0, Files.size(segment));
    while (!check.isDone()) {
      check.advance();
    }
    check.close();
    return batches;
  }
}
