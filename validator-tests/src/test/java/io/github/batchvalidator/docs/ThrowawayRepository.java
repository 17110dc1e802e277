// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A repository in which a test runs some of the scripts, and which it throws away. */
abstract class ThrowawayRepository {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path folder;
  private Path repository;
  private Path bin;

  @BeforeEach
  void create() throws IOException {
    repository = Files.createDirectory(folder.resolve("repository"));
    bin = Files.createDirectory(folder.resolve("bin"));
  }

  Path path(String file) {
    return repository.resolve(file);
  }

  /** Copies files of the real repository. */
  void copy(String... files) throws IOException {
    for (String file : files) {
      write(file, Files.readString(ROOT.resolve(file)));
    }
  }

  void write(String file, String text) throws IOException {
    Path path = repository.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** Writes a shell script that the scripts call. */
  void writeScript(String file, String text) throws IOException {
    write(file, "#!/bin/sh\n" + text + "\n");
    assertTrue(repository.resolve(file).toFile().setExecutable(true));
  }

  /** Puts a shell script first on the path, in place of a command. */
  void replaceCommand(String name, String text) throws IOException {
    Path command = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + text + "\n");
    assertTrue(command.toFile().setExecutable(true));
  }

  /** Commits all files. */
  void commit() throws Exception {
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=A", "-c", "user.email=a@localhost", "commit", "-q", "-m", "Change");
  }

  String git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    assertEquals(0, run(builder(command)), this::output);
    return output().strip();
  }

  /** Runs a script and returns its exit code. */
  int run(String script, String... arguments) throws Exception {
    return run(builder(script, arguments));
  }

  /** Returns what starts a script. */
  ProcessBuilder builder(String script, String... arguments) {
    List<String> command = new ArrayList<>(List.of("bash", repository.resolve(script).toString()));
    command.addAll(List.of(arguments));
    return builder(command);
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(repository.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    builder.environment().remove("JAVA_HOME"); // it would come before the path
    builder.environment().merge("PATH", bin + ":", (path, first) -> first + path);
    return builder;
  }

  private static int run(ProcessBuilder builder) throws Exception {
    Process process = builder.start();
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    return process.exitValue();
  }

  /** Returns what the last command has printed. */
  String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
