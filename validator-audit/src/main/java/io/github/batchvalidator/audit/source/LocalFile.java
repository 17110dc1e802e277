// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of this machine.
 *
 * @param path the file
 */
public record LocalFile(Path path) implements StoredFile {
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
