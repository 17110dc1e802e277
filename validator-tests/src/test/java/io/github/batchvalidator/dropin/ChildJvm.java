// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a class in a JVM of its own, whose class path is like that of a broker. */
public final class ChildJvm {
  private static final long MINUTES = 5;

  private ChildJvm() {}

  /** Runs to the end, and returns what was written to both outputs. */
  public static String run(List<Path> path, List<String> options, List<String> mainAndArguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    command.addAll(mainAndArguments);
    Path output = Files.createTempFile(Lines.build(), "child-jvm", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
          throw new IllegalStateException("still running: " + Files.readString(output));
        }
      } finally {
        process.destroyForcibly();
      }
      return Files.readString(output);
    } finally {
      Files.delete(output);
    }
  }

  /** Returns the class path of a broker of a version with its drop-in, and the compiled tests. */
  static List<Path> brokerWithTests(String version) {
    List<Path> path = new ArrayList<>(List.of(Lines.jar(Lines.lineOf(version))));
    path.addAll(Lines.kafka(version));
    path.add(Lines.build().resolve("test-classes"));
    return path;
  }
}
