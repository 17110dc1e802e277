// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of this machine.
 *
 * @param path the file
 */
public record LocalFile(Path path) implements StoredFile {
  /**
   * Returns a regular file, or null if it does not exist. One whose status cannot be read counts as
   * a file: opening it fails, and that is reported.
   */
  public static @Nullable LocalFile existing(Path path) {
    boolean isThere = Files.isRegularFile(path) || !(Files.exists(path) || Files.notExists(path));
    return isThere ? new LocalFile(path) : null;
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public long size() throws IOException {
    return Files.size(path);
  }

  @Override
  public InputStream open() throws IOException {
    return Files.newInputStream(path);
  }
}
