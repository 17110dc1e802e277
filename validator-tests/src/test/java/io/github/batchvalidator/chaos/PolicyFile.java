// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The policy file of the brokers, which is rewritten under load. */
final class PolicyFile {
  private static final String RULES =
      """
      topics.kept.match=kept
      topics.kept.key.required=true
      topics.kept.value.bytes=0-%d
      """;

  private static final int VALUE_BYTES = 1000;

  private final Path file;
  private int writes;

  /** Writes a first file. */
  PolicyFile(Path folder) throws IOException {
    file = folder.resolve("policy.properties");
    rewrite(true);
  }

  Path path() {
    return file;
  }

  /**
   * Replaces the file by one with another limit, which no record reaches.
   *
   * @param valid false for a file that brokers must not take
   */
  void rewrite(boolean valid) throws IOException {
    writes++;
    Path next = file.resolveSibling("policy.next");
    String rules = RULES.formatted(VALUE_BYTES + writes);
    Files.writeString(next, valid ? rules : rules + "topics.kept.level=none\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns how often it was rewritten. */
  int rewrites() {
    return writes - 1;
  }
}
