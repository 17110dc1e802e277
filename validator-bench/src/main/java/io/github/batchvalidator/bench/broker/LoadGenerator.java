// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.testkit.broker.ChildJvm;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A JVM with {@link LoadMain}. It serves all rounds, so that its code is compiled once. */
final class LoadGenerator implements AutoCloseable {
  private static final List<String> OPTIONS = List.of("-Xmx1g", "-Xms1g", "-XX:+UseSerialGC");

  private final Process process;
  private final BufferedWriter orders;
  private final BufferedReader results;
  private final Path errors;

  /**
   * Starts it, with the class path of this JVM.
   *
   * @param folder for what it reports beside results
   */
  LoadGenerator(Path folder) throws IOException {
    errors = folder.resolve("load-generator.txt");
    List<Path> classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .toList();
    process =
        new ProcessBuilder(ChildJvm.command(classPath, OPTIONS, List.of(LoadMain.class.getName())))
            .redirectError(errors.toFile())
            .start();
    orders = process.outputWriter(StandardCharsets.UTF_8);
    results = process.inputReader(StandardCharsets.UTF_8);
  }

  long pid() {
    return process.pid();
  }

  /** Returns the CPU time so far, that of threads that have ended included. */
  long cpuNanos() {
    return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
  }

  /**
   * Produces, and returns when all is acknowledged.
   *
   * @throws IllegalStateException if not all was
   */
  Produced run(LoadOrder order) throws IOException {
    orders.write(order.text());
    orders.newLine();
    orders.flush();
    String line = results.readLine();
    while (line != null && !Produced.isText(line)) {
      line = results.readLine();
    }
    if (line == null) {
      throw new IllegalStateException(
          "the load generator ended in " + order + ":\n" + Files.readString(errors));
    }
    return Produced.parse(line);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
