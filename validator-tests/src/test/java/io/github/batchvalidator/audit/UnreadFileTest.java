// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.partition.PartitionAudit;
import io.github.batchvalidator.audit.source.LocalSearch;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.testing.Proxies;
import io.github.batchvalidator.testing.UnlistedDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  @Test
  void aDirectoryWhoseEntriesCannotBeReadIsAnErrorOfItsPartition() {
    PartitionDirectory partition =
        Objects.requireNonNull(PartitionDirectory.of(UnlistedDirectory.of(log.directory())));
    List<String> errors = new ArrayList<>();
    new PartitionAudit(
        partition, false, (file, fault) -> {}, (file, why) -> errors.add(file + ": " + why));
    assertEquals(List.of(log.directory() + ": " + UnlistedDirectory.WHY), errors);
  }

  @Test
  void aDirectoryWhoseEntriesCannotBeReadIsNotSearched() {
    LocalSearch.Sink sink =
        Proxies.of(
            LocalSearch.Sink.class,
            (proxy, method, arguments) -> {
              throw new AssertionError(method.getName());
            });
    LocalSearch search = new LocalSearch(directory -> false, sink);
    IOException thrown =
        assertThrows(IOException.class, () -> search.below(UnlistedDirectory.of(log.directory())));
    assertEquals(UnlistedDirectory.WHY, thrown.getMessage());
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
