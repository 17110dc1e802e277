// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file whose status cannot be read is an error. It is not missing. */
class UnreadFileTest {
  @TempDir private Path data;

  private StoredLog log = new StoredLog(Path.of(""));

  @BeforeEach
  void write() throws Exception {
    log = new StoredLog(SampleLog.write(data));
    StoredLog.age(data);
  }

  @ParameterizedTest
  @ValueSource(strings = {".index", ".timeindex", ".txnindex", ".snapshot"})
  void ofASegment(String suffix) throws Exception {
    assertIsError(log.name(1, suffix));
  }

  @Test
  void ofAPartition() throws Exception {
    assertIsError("leader-epoch-checkpoint");
  }

  /** Whether the log ends too early is unknown. The rest is checked. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "recovery-point-offset-checkpoint",
        "replication-offset-checkpoint",
        "log-start-offset-checkpoint"
      })
  void ofALogDirectory(String name) throws Exception {
    Path file = data.resolve(name);
    Files.createSymbolicLink(file, file);
    Audited audited = Audited.of(data);
    assertEquals(List.of(), audited.messages());
    assertEquals(1, audited.errors().size(), audited.errors()::toString);
    String error = audited.errors().get(0);
    assertTrue(error.startsWith("orders-3: " + file + ": "), error);
    assertEquals(SampleLog.SEGMENTS, audited.partition().segments());
  }

  private void assertIsError(String name) throws Exception {
    Path file = log.file(name);
    Files.delete(file);
    Files.createSymbolicLink(file, file);
    Audited audited = Audited.of(data);
    assertEquals(List.of(), audited.messages());
    assertEquals(1, audited.errors().size(), audited.errors()::toString);
    assertTrue(audited.errors().get(0).startsWith(name + ": "), audited.errors()::toString);
  }
}
