// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.stored.StoredSettings;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The preflight proves that the guard can make hard links, and says what is wrong. */
class KeptPlaceTest {
  @TempDir private Path root;

  private Path log;

  @BeforeEach
  void createLogDirectory() throws IOException {
    log = Files.createDirectories(root.resolve("logs"));
  }

  private static StoredSettings settings(String keep, @Nullable Path directory, String quota) {
    Properties system = new Properties();
    system.setProperty("batchvalidator.stored.keep", keep);
    system.setProperty("batchvalidator.stored.keep.quota", quota);
    if (directory != null) {
      system.setProperty("batchvalidator.stored.keep.directory", directory.toString());
    }
    return StoredSettings.read(system);
  }

  private static List<String> examine(@Nullable Path directory, Path... logs) {
    return KeptPlace.examine(settings("enforce", directory, "1000"), List.of(logs));
  }

  private void assertUnchanged(String... names) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      List<String> left =
          files.skip(1).map(each -> root.relativize(each).toString()).sorted().toList();
      assertEquals(List.of(names), left);
    }
  }

  private static void assertFix(String expected, List<String> answers) {
    assertEquals(1, answers.size(), answers::toString);
    String answer = answers.get(0);
    assertTrue(answer.startsWith("FIX ") && answer.contains(expected), answer);
  }

  @Test
  void linksWorkInTheRootOfEachLogDirectory() throws IOException {
    Path other = Files.createDirectories(root.resolve("others"));
    assertEquals(
        List.of(
            "ok keep: hard links work from " + log + " to " + log + ", 0 of 1000 bytes are used",
            "ok keep: hard links work from "
                + other
                + " to "
                + other
                + ", 0 of 1000 bytes are used"),
        examine(null, log, other));
    assertUnchanged("logs", "others");
  }

  @Test
  void linksWorkInADirectoryThatDoesNotExistYet() throws IOException {
    Path kept = root.resolve("kept/here");
    assertEquals(
        List.of(
            "ok keep: hard links work from " + log + " to " + kept + ", 0 of 1000 bytes are used"),
        examine(kept, log));
    assertUnchanged("logs");
  }

  @Test
  void aDirectoryInsideOfALogDirectoryIsAMistake() throws IOException {
    Path other = Files.createDirectories(root.resolve("others"));
    Path link = Files.createSymbolicLink(root.resolve("link"), other);
    assertFix("is inside of the log directory " + other, examine(link.resolve("kept"), log, other));
    assertFix("is inside of the log directory " + log, examine(log.resolve("../logs/k"), log));
    assertUnchanged("link", "logs", "others");
  }

  @Test
  void aDirectoryInsideOfALogDirectoryThatIsNotNamedIsAMistake() throws IOException {
    Path other = Files.createDirectories(root.resolve("others")).toRealPath();
    Files.createFile(other.resolve("recovery-point-offset-checkpoint"));
    assertFix("is inside of the log directory " + other, examine(other.resolve("kept"), log));
    assertUnchanged("logs", "others", "others/recovery-point-offset-checkpoint");
  }

  /** Kafka does not look for partitions there. */
  @Test
  void aDirectoryInsideOfThatOfTheMetadataLogIsNoMistake() throws IOException {
    Path other = Files.createDirectories(root.resolve("others")).toRealPath();
    Files.createFile(other.resolve("meta.properties"));
    List<String> found = examine(other.resolve("kept"), log);
    assertTrue(found.get(0).startsWith("ok "), found::toString);
  }

  @Test
  void theRootOfTheLogDirectoryMayBeNamed() {
    assertTrue(examine(log, log).get(0).startsWith("ok "), () -> examine(log, log).toString());
  }

  @Test
  void aPlaceWhereNothingCanBeWrittenIsAMistake() throws IOException {
    Path file = Files.createFile(root.resolve("file"));
    assertFix(
        "nothing can be kept of " + log + ", because no hard link can be made in " + file,
        examine(file, log));
    assertUnchanged("file", "logs");
  }

  @Test
  void aPlaceOnAnotherFileSystemIsAMistake() throws IOException {
    Path archive = root.resolve("a.zip");
    try (FileSystem files = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Path elsewhere = Files.createDirectory(files.getPath("/logs"));
      Path kept = Files.createDirectory(root.resolve("kept"));
      assertFix("because " + kept + " is on another file system: ", examine(kept, elsewhere));
      try (Stream<Path> left = Files.list(elsewhere)) {
        assertEquals(0, left.count());
      }
    }
  }

  @Test
  void aUsedUpQuotaIsAMistake() throws IOException {
    Files.write(log.resolve("batchvalidator-kept-t-0"), new byte[999]);
    assertTrue(examine(null, log).get(0).endsWith(", 999 of 1000 bytes are used"));
    Files.write(log.resolve("batchvalidator-kept-t-1"), new byte[1]);
    assertFix(
        "the quota of 1000 bytes is used up in " + log + ", where 1000 bytes are kept",
        examine(null, log));
  }

  @Test
  void aMissingLogDirectoryIsNotTried() {
    Path none = root.resolve("none");
    assertEquals(
        List.of("note the log directory " + none + " does not exist, so no hard link was tried"),
        examine(null, none));
  }

  @Test
  void unknownLogDirectoriesAreNoted() {
    List<String> answers = examine(null);
    assertEquals(1, answers.size());
    assertTrue(answers.get(0).startsWith("note "), answers::toString);
    assertTrue(answers.get(0).endsWith("add --server-properties FILE"), answers::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "observe"})
  void nothingIsTriedIfNothingIsKept(String keep) {
    assertEquals(List.of(), KeptPlace.examine(settings(keep, null, "0"), List.of(log)));
  }
}
