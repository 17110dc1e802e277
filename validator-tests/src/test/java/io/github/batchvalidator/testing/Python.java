// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs scripts of {@code src/test/python} with the clients that {@code scripts/other-clients}
 * brings.
 */
public final class Python {
  private static final long MINUTES = 10;

  private Python() {}

  /** Returns the build's folder. */
  public static Path build() {
    return Path.of(System.getProperty("build.directory"));
  }

  /**
   * Runs a script to its end.
   *
   * @param folder where its output is kept
   * @return the lines that it wrote
   * @throws IllegalStateException if it fails or takes too long
   */
  public static List<String> run(String script, Path folder, String... arguments)
      throws IOException, InterruptedException {
    Path file = Path.of("src", "test", "python", script).toAbsolutePath();
    Path output = folder.resolve(script + ".out");
    Path errors = folder.resolve(script + ".err");
    List<String> command = new ArrayList<>(List.of(interpreter().toString(), file.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IllegalStateException(script + ": " + Files.readString(errors));
      }
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(output);
  }

  private static Path interpreter() {
    Path python = build().resolve("python").resolve("bin").resolve("python");
    if (!Files.isExecutable(python)) {
      throw new IllegalStateException(python + " is missing: run scripts/other-clients");
    }
    return python;
  }
}
