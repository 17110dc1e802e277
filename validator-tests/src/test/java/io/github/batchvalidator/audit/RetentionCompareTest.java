// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.batchvalidator.audit.compare.CompareRun;
import io.github.batchvalidator.audit.compare.DigestRun;
import io.github.batchvalidator.audit.source.Directory;
import io.github.batchvalidator.audit.source.LocalDirectory;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Retention deletes the first segments of a copy after they were listed. */
class RetentionCompareTest {
  private static final String PARTITION = "orders-3";
  private static final int RANGE = 16;
  private static final int DELETED = 2;

  @TempDir private Path data;

  /** A directory of which the first segments are deleted when the first one is to be opened. */
  private record Retained(LocalDirectory of) implements Directory {
    @Override
    public String name() {
      return of.name();
    }

    @Override
    public String lastName() {
      return of.lastName();
    }

    @Override
    public @Nullable StoredFile file(String name) {
      return of.file(name);
    }

    @Override
    public @Nullable StoredFile sibling(String name) {
      return of.sibling(name);
    }

    @Override
    public List<String> files() throws IOException {
      return of.files();
    }

    @Override
    public Segment segment(String name, Partition partition) {
      StoredLog log = new StoredLog(of.path());
      try {
        while (log.bases().size() > SampleLog.SEGMENTS - DELETED) {
          log.delete(0);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return of.segment(name, partition);
    }
  }

  @BeforeEach
  void write() throws IOException {
    SampleLog.write(data.resolve("a"));
    Files.createDirectory(data.resolve("b"));
    StoredLog.copy(data.resolve("a").resolve(PARTITION), data.resolve("b").resolve(PARTITION));
  }

  private PartitionDirectory sound() {
    return open(new LocalDirectory(data.resolve("a").resolve(PARTITION)));
  }

  private PartitionDirectory retained() {
    return open(new Retained(new LocalDirectory(data.resolve("b").resolve(PARTITION))));
  }

  private static PartitionDirectory open(Directory directory) {
    return Objects.requireNonNull(PartitionDirectory.of(directory));
  }

  @Test
  void deletedSegmentsAreNoDifference() throws Exception {
    Compared found = new Compared();
    CompareRun run = new CompareRun(1, false, found, bytes -> {});
    run.add(retained());
    run.add(sound());
    run.run();
    assertEquals(List.of(), found.differences(), () -> found.messages().toString());
    assertFalse(found.partition().batches() == 0);
  }

  @Test
  void aDigestStartsWithWhatIsLeft() throws Exception {
    Compared found = Compared.of(false, digest("b", retained()), digest("a", sound()));
    assertEquals(List.of(), found.differences(), () -> found.messages().toString());
    assertFalse(found.partition().batches() == 0);
  }

  private Path digest(String name, PartitionDirectory partition) throws Exception {
    Path file = data.resolve(name + ".digest");
    new DigestRun(List.of(partition), RANGE, 0, Long.MAX_VALUE, (from, why) -> {}, bytes -> {})
        .run(1, file);
    return file;
  }
}
