// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the program in a separate process, for tests that need one JVM to themselves. */
final class CheckProcess {
  private static final long TIMEOUT_MINUTES = 2;

  private CheckProcess() {}

  /** Runs the command with JSON output in a JVM with some options. */
  static Run run(Path directory, List<String> jvmOptions, Object... arguments)
      throws IOException, InterruptedException {
    return runWithin(List.of(), directory, jvmOptions, arguments);
  }

  /** Runs the command through another program, which gets it after its other arguments. */
  static Run runWithin(
      List<String> program, Path directory, List<String> jvmOptions, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.addAll(java());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", classPath(jar -> true)));
    return start(directory, command, arguments);
  }

  /** Runs it without one of its libraries. */
  static Run runWithout(String library, Path directory, Object... arguments)
      throws IOException, InterruptedException {
    String classPath = classPath(jar -> !Path.of(jar).getFileName().toString().startsWith(library));
    List<String> command = java();
    command.addAll(List.of("-cp", classPath));
    return start(directory, command, arguments);
  }

  /** Starts it, for a caller that ends it. */
  static Process start(Path directory, Object... arguments) throws IOException {
    List<String> command = java();
    command.addAll(List.of("-cp", classPath(jar -> true)));
    return process(directory, command, arguments);
  }

  private static Process process(Path directory, List<String> command, Object[] arguments)
      throws IOException {
    command.add(CheckCommand.class.getName());
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    command.add("--json");
    return new ProcessBuilder(command)
        .redirectError(directory.resolve("err").toFile())
        .redirectOutput(directory.resolve("out").toFile())
        .start();
  }

  /** Runs a command to which the program and its arguments are added. */
  private static Run start(Path directory, List<String> command, Object[] arguments)
      throws IOException, InterruptedException {
    Process process = process(directory, command, arguments);
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    try {
      if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError(command + " still runs");
      }
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), text(out), text(err));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  /** Returns the start of a command: a JVM that lives so shortly that C2 would only cost time. */
  private static List<String> java() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1"));
  }

  private static String classPath(Predicate<String> isIn) {
    String ofSurefire = System.getProperty("surefire.test.class.path");
    String all = ofSurefire != null ? ofSurefire : System.getProperty("java.class.path");
    return Stream.of(all.split(File.pathSeparator, -1))
        .filter(isIn)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
