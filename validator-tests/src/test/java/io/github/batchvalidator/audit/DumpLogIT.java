// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.audit.report.FileSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An audit finds what kafka-dump-log finds in the same files. */
class DumpLogIT {
  @TempDir private Path data;

  @Test
  void figuresOfCleanFilesAreEqual() throws Exception {
    SampleLog.write(data);
    Audited audited = Audited.of(data);
    assertEquals(Map.of(), wrongEntries(audited));
    compare(audited);
  }

  @Test
  void figuresOfDamagedFilesAreEqual() throws Exception {
    StoredLog log = new StoredLog(SampleLog.write(data));
    log.edit(
        log.file(0, ".index"),
        all -> {
          for (int entry : new int[] {1, 4, 9, 10, 12}) {
            all.putInt(8 * entry, all.getInt(8 * entry) + 1);
          }
        });
    log.edit(log.file(2, ".timeindex"), all -> all.putLong(24, all.getLong(24) + 3));
    log.edit(log.file(2, ".timeindex"), all -> all.putLong(48, all.getLong(48) - 3));
    log.edit(log.file(0, ".timeindex"), all -> all.putInt(68, all.getInt(68) - 1));
    for (int batch : new int[] {1, 2, 8}) {
      int last = log.batches(1).get(batch + 1).position() - 2; // the tool dies of lengths
      log.edit(log.file(1, ".log"), all -> all.put(last, (byte) ~all.get(last)));
    }
    Audited audited = Audited.of(data);
    assertEquals(
        Map.of(
            log.file(0, ".index").toString(), 5,
            log.file(2, ".timeindex").toString(), 2,
            log.file(0, ".timeindex").toString(), 1),
        wrongEntries(audited));
    compare(audited);
  }

  private void compare(Audited audited) throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(data)) {
      files = all.filter(DumpLog::reads).sorted().toList();
    }
    DumpLog dump = DumpLog.of(data, files);
    assertEquals(dump.mismatches(), wrongEntries(audited));
    for (FileSummary file : audited.files()) {
      assertEquals(dump.figures(file.name()), DumpLog.Figures.of(file), file.name());
    }
  }

  private Map<String, Integer> wrongEntries(Audited audited) {
    Map<String, Integer> wrong = new TreeMap<>();
    for (String fault : audited.faults()) {
      String name = fault.substring(fault.indexOf(' ') + 1, fault.indexOf('@'));
      if (name.endsWith("index")) {
        wrong.merge(data.resolve("orders-3").resolve(name).toString(), 1, Integer::sum);
      }
    }
    return wrong;
  }
}
