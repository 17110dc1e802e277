// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says what went wrong in words for people. */
final class Messages {
  private Messages() {}

  /** {@return the text for a terminal} A file's name may hold what would command it. */
  static String printable(String text) {
    return text.replaceAll("\\p{Cc}", "?");
  }

  /** Returns a sentence that does not repeat the file's name. */
  static String of(Throwable error) {
    if (error instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (error instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (error instanceof OutOfMemoryError) {
      return "not enough memory; try a larger -Xmx in JAVA_OPTS or fewer --threads";
    }
    if (error instanceof FileSystemException fileSystem && fileSystem.getReason() != null) {
      return fileSystem.getReason();
    }
    boolean plain = error instanceof java.io.IOException && error.getMessage() != null;
    return plain ? String.valueOf(error.getMessage()) : error.toString();
  }
}
