// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log directories are those that Kafka takes from the same file. */
class LogDirectoriesTest {
  @TempDir private Path folder;

  private List<Path> read(String text) throws IOException {
    Path file = folder.resolve("server.properties");
    Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    return LogDirectories.read(file);
  }

  @Test
  void logDirsWinsOverLogDir() throws IOException {
    assertEquals(
        List.of(Path.of("/data/a"), Path.of("/data/b")),
        read("# B\u00fccher\nlog.dir=/data/c\nlog.dirs=/data/a, /data/b,\n"));
  }

  @Test
  void logDirCountsWithoutLogDirs() throws IOException {
    assertEquals(List.of(Path.of("/data/c")), read("log.dir=/data/c\n"));
  }

  @Test
  void theDefaultIsThatOfKafka() throws IOException {
    assertEquals(List.of(Path.of("/tmp/kafka-logs")), read("node.id=1\n"));
  }

  @Test
  void aMissingFileIsAnError() {
    assertThrows(
        NoSuchFileException.class, () -> LogDirectories.read(folder.resolve("no.properties")));
  }
}
