// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.github.batchvalidator.audit.report.Messages;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Hadoop does not find is missing only if the JDK does not find it either. */
class StorageTest {
  private static final String MANY = "segment.log (Too many open files)";

  @TempDir private Path directory;

  private static IOException asLocal(Path file) {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    return Storage.asLocal(path, new FileNotFoundException(MANY));
  }

  @Test
  void aFileThatDoesNotExistIsMissing() throws IOException {
    assertInstanceOf(NoSuchFileException.class, asLocal(directory.resolve("none")));
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("nowhere"));
    assertInstanceOf(NoSuchFileException.class, asLocal(link));
  }

  @Test
  void aFileThatCannotBeOpenedIsNotMissing() throws IOException {
    IOException why = asLocal(Files.createFile(directory.resolve("segment.log")));
    assertFalse(why instanceof NoSuchFileException);
    assertEquals(MANY, Messages.of(why));
  }

  @Test
  void aFileWhoseStatusCannotBeReadIsNotMissing() throws IOException {
    Path link = directory.resolve("link");
    IOException why = asLocal(Files.createSymbolicLink(link, link));
    assertFalse(why instanceof NoSuchFileException, why::toString);
    assertFalse(Messages.of(why).equals(MANY), why::toString);
  }

  @Test
  void anObjectThatIsNotFoundIsMissing() {
    org.apache.hadoop.fs.Path object = new org.apache.hadoop.fs.Path("s3a://kafka/segment.log");
    assertInstanceOf(
        NoSuchFileException.class, Storage.asLocal(object, new FileNotFoundException("404")));
  }
}
