// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Pattern;

/** The words of messages for people. */
public final class Messages {
  /** Control characters, format characters, and the separators of lines and paragraphs. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  /** The message for a lack of heap, direct or native memory. */
  public static final String NOT_ENOUGH_MEMORY =
      "not enough memory; try a larger -Xmx or -XX:MaxDirectMemorySize in JAVA_OPTS, or fewer"
          + " --threads";

  private Messages() {}

  /**
   * Replaces unprintable characters by question marks. Characters in a file name may otherwise
   * control the terminal, or hide or reorder the text around them.
   */
  public static String printable(String text) {
    return UNPRINTABLE.matcher(text).replaceAll("?");
  }

  /** Returns a count and its noun, for example {@code 2 batches}. */
  public static String plural(long count, String noun) {
    if (count == 1) {
      return "1 " + noun;
    }
    return count + " " + noun + (noun.endsWith("ch") ? "es" : "s");
  }

  /** Returns a message that does not repeat the file name. */
  public static String of(Throwable error) {
    if (error instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (error instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (error instanceof OutOfMemoryError) {
      return NOT_ENOUGH_MEMORY;
    }
    if (error instanceof FileSystemException fileSystem && fileSystem.getReason() != null) {
      return fileSystem.getReason();
    }
    boolean plain = error instanceof java.io.IOException && error.getMessage() != null;
    return plain ? String.valueOf(error.getMessage()) : error.toString();
  }
}
