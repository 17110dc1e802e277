// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The paths and the names of directories that are written to. */
public final class NewDirectory {
  private NewDirectory() {}

  /** Returns the real path of a directory, also if its last elements do not exist yet. */
  public static Path realPath(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    if (Files.exists(absolute)) {
      return absolute.toRealPath();
    }
    Path parent = absolute.getParent();
    return parent == null
        ? absolute
        : realPath(parent).resolve(String.valueOf(absolute.getFileName())).normalize();
  }

  /** Writes the names in a directory to disk, where the system can do that. */
  public static void sync(Path folder) {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException unsupported) {
      // Windows opens no directory.
    }
  }
}
