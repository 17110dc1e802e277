// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a class in a separate JVM of the same JDK. */
public final class ChildJvm {
  private static final long MINUTES = 5;

  private ChildJvm() {}

  /**
   * Returns the command that starts a JVM.
   *
   * @param classPath in order
   * @param options of the JVM
   * @param mainAndArguments the name of the class and what it is given
   */
  public static List<String> command(
      List<Path> classPath, List<String> options, List<String> mainAndArguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    command.addAll(mainAndArguments);
    return command;
  }

  /**
   * Runs to the end, and returns what was written to both outputs.
   *
   * @param folder for a file that is deleted again
   * @param classPath in order
   * @param options of the JVM
   * @param mainAndArguments the name of the class and what it is given
   * @throws IOException if the JVM cannot be started
   * @throws InterruptedException if the wait is interrupted
   * @throws IllegalStateException if it runs longer than five minutes
   */
  public static String run(
      Path folder, List<Path> classPath, List<String> options, List<String> mainAndArguments)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "child-jvm", ".txt");
    try {
      Process process =
          new ProcessBuilder(command(classPath, options, mainAndArguments))
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
}
