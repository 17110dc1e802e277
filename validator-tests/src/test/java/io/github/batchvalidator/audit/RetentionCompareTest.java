// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.batchvalidator.audit.compare.CompareRun;
import io.github.batchvalidator.audit.compare.DigestRun;
import io.github.batchvalidator.audit.source.Directory;
import io.github.batchvalidator.audit.source.LocalDirectory;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Retention deletes the first segments of a copy after they were listed. */
class RetentionCompareTest {
  private static final String PARTITION = "orders-3";
  private static final int RANGE = 16;

  @TempDir private Path data;

  @BeforeEach
  void write() throws IOException {
    SampleLog.write(data.resolve("a"));
    Files.createDirectory(data.resolve("b"));
    StoredLog.copy(data.resolve("a").resolve(PARTITION), data.resolve("b").resolve(PARTITION));
  }

  private PartitionDirectory sound() {
    return open(new LocalDirectory(data.resolve("a").resolve(PARTITION)));
  }

  /** Returns a copy whose first segments are deleted when one of them is to be opened. */
  private PartitionDirectory retained(int opened, int left) throws IOException {
    LocalDirectory directory = new LocalDirectory(data.resolve("b").resolve(PARTITION));
    StoredLog log = new StoredLog(directory.path());
    String trigger = StoredLog.fileName(log.bases().get(opened), ".log");
    return open(
        new DirectoryOpenedBy(
            directory,
            (name, partition) -> {
              if (name.equals(trigger)) {
                keepLast(log, left);
              }
              return directory.segment(name, partition);
            }));
  }

  private static void keepLast(StoredLog log, int left) {
    try {
      while (log.bases().size() > left) {
        log.delete(0);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PartitionDirectory open(Directory directory) {
    return Objects.requireNonNull(PartitionDirectory.of(directory));
  }

  @ParameterizedTest
  @CsvSource({"0, 4", "0, 1", "1, 4", "1, 1", "3, 1"})
  void deletedSegmentsAreNoDifference(int opened, int left) throws Exception {
    Compared found = new Compared();
    CompareRun run = new CompareRun(1, false, found, bytes -> {});
    run.add(retained(opened, left));
    run.add(sound());
    run.run();
    assertEquals(List.of(), found.differences(), () -> found.messages().toString());
    assertFalse(found.partition().batches() == 0);
    assertLeft(left);
  }

  private void assertLeft(int expected) throws IOException {
    Path copy = data.resolve("b").resolve(PARTITION);
    assertEquals(expected, new StoredLog(copy).bases().size(), "segments are deleted meanwhile");
  }

  @ParameterizedTest
  @CsvSource({"0, 4", "0, 1", "1, 4", "1, 1", "3, 1"})
  void aDigestStartsWithWhatIsLeft(int opened, int left) throws Exception {
    Compared found = Compared.of(false, digest("b", retained(opened, left)), digest("a", sound()));
    assertEquals(List.of(), found.differences(), () -> found.messages().toString());
    assertLeft(left);
  }

  /** The first batch that is left is above the high watermark, which was read before. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void nothingMayBeLeftBelowTheHighWatermark(int opened) throws Exception {
    long watermark = new StoredLog(data.resolve("a").resolve(PARTITION)).bases().get(4);
    for (String copy : List.of("a", "b")) {
      Files.writeString(
          data.resolve(copy).resolve("replication-offset-checkpoint"),
          "0\n1\norders 3 " + watermark + "\n");
    }
    Compared found = Compared.of(false, digest("b", retained(opened, 1)), digest("a", sound()));
    assertEquals(List.of(), found.differences(), () -> found.messages().toString());
  }

  private Path digest(String name, PartitionDirectory partition) throws Exception {
    Path file = data.resolve(name + ".digest");
    new DigestRun(List.of(partition), RANGE, 0, Long.MAX_VALUE, (from, why) -> {}, bytes -> {})
        .run(1, file);
    return file;
  }
}
