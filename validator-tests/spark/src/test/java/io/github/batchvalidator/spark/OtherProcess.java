// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A JVM of a test, and its descendants. Its output goes to a file. */
final class OtherProcess implements AutoCloseable {
  private static final int POLL_MS = 100;
  private static final int SECONDS = 240;

  private final Process process;
  private final Path log;

  private OtherProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a JVM.
   *
   * @param directory where it runs, and where its log is
   * @param arguments those of Java
   */
  static OtherProcess java(Path directory, List<String> arguments) throws IOException {
    Files.createDirectories(directory);
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(arguments);
    Path log = directory.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("SPARK_HOME", directory.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return new OtherProcess(builder.start(), log);
  }

  /** Waits until something is the case. Fails if the process ends before. */
  void await(BooleanSupplier condition) throws InterruptedException {
    for (long i = 0; i < SECONDS * 1000L / POLL_MS; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      if (!process.isAlive()) {
        throw new AssertionError("ended with " + process.exitValue() + ": " + output());
      }
      Thread.sleep(POLL_MS);
    }
    throw new AssertionError("not within " + SECONDS + " s: " + output());
  }

  /** Returns the living descendants whose command line has a word. */
  List<ProcessHandle> descendants(String word) {
    return process
        .descendants()
        .filter(each -> each.info().commandLine().orElse("").contains(word))
        .toList();
  }

  /** Waits for the end, and returns the exit code. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still running: " + output());
    }
    return process.exitValue();
  }

  String output() {
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      return String.valueOf(e);
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
