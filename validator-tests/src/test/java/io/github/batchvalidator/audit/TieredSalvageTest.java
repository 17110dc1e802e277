// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sound batches of a damaged tiered segment, in the file that a broker would have. */
class TieredSalvageTest {
  private static final int SEGMENT = 1;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"KAFKA", "AIVEN"})
  void writesTheFileOfABroker(String layout) throws Exception {
    StoredLog log = new StoredLog(SampleLog.write(directory.resolve("broker")));
    List<StoredLog.Batch> batches = log.batches(SEGMENT);
    StoredLog.Batch damaged = batches.get(2);
    int last = damaged.position() + damaged.bytes() - 1;
    log.edit(log.file(SEGMENT, ".log"), bytes -> bytes.put(last, (byte) ~bytes.get(last)));
    Path store = Files.createDirectory(directory.resolve("store"));
    if (layout.equals("KAFKA")) {
      TieredCopy.kafka(log.directory(), store);
    } else {
      TieredCopy.aiven(log.directory(), store, new TieredCopy.Aiven("p/", 700, true));
    }
    Path out = directory.resolve("out");
    Run run = Run.of("salvage", "--tiered=" + store, "--into=" + out);
    assertEquals(1, run.exitCode(), run.out() + run.err());
    Path file = out.resolve("orders-3").resolve(log.name(SEGMENT, ".log"));
    assertTrue(Files.exists(file), run.out() + run.err());
    List<Long> kept = new ArrayList<>(batches.stream().map(StoredLog.Batch::base).toList());
    kept.remove(damaged.base());
    assertEquals(kept, offsets(file));
    assertEquals(0, Run.of("--compacted", out.toString()).exitCode());
  }

  private static List<Long> offsets(Path file) throws IOException {
    List<Long> offsets = new ArrayList<>();
    try (FileRecords records = FileRecords.open(file.toFile(), false)) {
      for (RecordBatch batch : records.batches()) {
        batch.ensureValid();
        offsets.add(batch.baseOffset());
      }
    }
    return offsets;
  }

  @Test
  void neverWritesIntoTheStore() throws Exception {
    Path partition = SampleLog.write(directory.resolve("broker"));
    Path store = Files.createDirectory(directory.resolve("store"));
    TieredCopy.kafka(partition, store);
    for (Path inside : List.of(store, store.resolve("new"), store.resolve("orders-3"))) {
      Run run = Run.of("salvage", "--tiered=" + store, "--into=" + inside);
      assertEquals(2, run.exitCode(), run.err());
    }
  }
}
