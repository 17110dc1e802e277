// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory of this machine.
 *
 * @param path the directory
 */
public record LocalDirectory(Path path) implements Directory {
  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public String lastName() {
    Path last = path.toAbsolutePath().normalize().getFileName();
    return last == null ? "" : last.toString();
  }

  @Override
  public @Nullable StoredFile file(String name) {
    return LocalFile.existing(path.resolve(name));
  }

  @Override
  public @Nullable StoredFile sibling(String name) {
    Path parent = path.toAbsolutePath().normalize().getParent();
    return parent == null ? null : LocalFile.existing(parent.resolve(name));
  }

  @Override
  public List<String> files() throws IOException {
    return list(path).stream().map(file -> String.valueOf(file.getFileName())).toList();
  }

  /**
   * Returns the files in a directory, in any order. Also fails with an {@link IOException} if the
   * directory was opened and its entries cannot be read, as on a bad disk.
   */
  public static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public Segment segment(String name, Partition partition) {
    return new FileSegment(path.resolve(name), partition, true);
  }
}
