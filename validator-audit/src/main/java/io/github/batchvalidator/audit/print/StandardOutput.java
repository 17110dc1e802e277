// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The standard output of this process. */
public final class StandardOutput {
  private static final Path PATH = Path.of("/dev/fd/1");

  /** The bits of a file mode that say what kind of file it is. */
  private static final int KIND = 0170000;

  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private StandardOutput() {}

  /**
   * Returns true if another program reads the output. A write then fails because that program has
   * read enough, such as {@code head}. Writes to files fail because the disk is full.
   */
  public static boolean isReadByProgram() {
    try {
      Object mode = Files.getAttribute(PATH, "unix:mode");
      int kind = mode instanceof Integer number ? number & KIND : 0;
      return kind == PIPE || kind == SOCKET;
    } catch (IOException | RuntimeException e) { // no such file on this system
      return false;
    }
  }
}
