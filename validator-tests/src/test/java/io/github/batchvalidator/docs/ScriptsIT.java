// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All scripts of the repository answer questions and mistakes in one way, and build nothing. Those
 * of the root, which build on first use, run in a checkout that is not built.
 */
class ScriptsIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path directory;
  private Path build;
  private Path unbuilt;

  @BeforeEach
  void checkout() throws IOException {
    unbuilt = Files.createDirectory(directory.resolve("unbuilt"));
    for (Path script : scripts()) {
      if (ROOT.equals(script.getParent())) {
        Files.copy(
            script, unbuilt.resolve(script.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Path docs = Files.createDirectory(unbuilt.resolve("docs"));
    Files.copy(ROOT.resolve("docs/check.1"), docs.resolve("check.1"));
    Files.copy(ROOT.resolve("pom.xml"), unbuilt.resolve("pom.xml"));
  }

  /** Puts a Maven first on the path that only notes that it was called. */
  @BeforeEach
  void replaceMaven() throws IOException {
    build = directory.resolve("build");
    Path bin = Files.createDirectory(directory.resolve("bin"));
    Path maven = Files.writeString(bin.resolve("mvn"), "#!/bin/sh\necho > '" + build + "'\n");
    assertTrue(maven.toFile().setExecutable(true));
  }

  static List<Path> scripts() throws IOException {
    List<Path> scripts = new ArrayList<>();
    for (Path folder : List.of(ROOT, ROOT.resolve("scripts"), ROOT.resolve("scripts/release"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(Files::isRegularFile).filter(Files::isExecutable).forEach(scripts::add);
      }
    }
    assertTrue(scripts.size() > 20, scripts::toString);
    return scripts;
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void helps(Path script) throws Exception {
    assertEquals(0, run(script, "--help"));
    assertEquals("", err());
    assertTrue(out().contains(script.getFileName().toString()), this::out);
  }

  @Test
  void oneCommandListsAllScriptsWithTheirPurpose() throws Exception {
    assertEquals(0, run(ROOT.resolve("scripts/help")));
    for (Path script : scripts()) {
      if (!ROOT.equals(script.getParent())) {
        String name = ROOT.relativize(script).toString();
        assertTrue(out().matches("(?s).*\n  " + name + " +[A-Z][^\n]{20,90}\\.\n.*"), name);
      }
    }
  }

  @Test
  void settingsOfLintersAreNoScripts() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("config"))) {
      assertEquals(List.of(), files.filter(Files::isExecutable).toList());
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void namesAnUnknownOption(Path script) throws Exception {
    assertEquals(2, run(script, "--no-such-option"));
    assertTrue(err().contains("--no-such-option"), this::err);
    assertEquals("", out());
  }

  @ParameterizedTest
  @CsvSource({
    "scripts/soak, --seed, --seed needs a value",
    "scripts/soak, --seed x, '--seed needs a number, not x'",
    "scripts/soak, --minutes 0, '--minutes needs a number, not 0'",
    "scripts/soak, --jdk nowhere, --jdk: no JDK in",
    "scripts/soak, more, unexpected argument more",
    "scripts/busy, --seconds 241, --seconds is at most 240",
    "scripts/check-scale, speed, 'it measures throughput, memory, commands or spark, not speed'",
    "scripts/coverage, A B C, unexpected argument C",
    "scripts/fuzz, none, no target none among: decode-gzip-java",
    "scripts/lock-hold, --line 4.2, '--line takes 4.3|4.4, not 4.2'",
    "scripts/mutation, all, not all",
    "scripts/slowdown, --turns 2, it needs either a commit or --strict",
    "check, some.log --no-such-option=1 other.log, there is no option --no-such-option",
    "bench, quick --no-such-option, quick knows no --no-such-option",
    "bench, broker --quick --no-such-option, broker knows no --no-such-option",
    "bench, compare a.json, 'compare takes 2 FILE.json, not 1'",
  })
  void namesTheMistake(String script, String arguments, String mistake) throws Exception {
    assertEquals(2, run(ROOT.resolve(script), arguments.split(" ", -1)));
    assertTrue(err().contains(mistake), this::err);
    assertEquals("", out());
  }

  /** The forks of a measurement load their classes from that jar. */
  @ParameterizedTest
  @ValueSource(strings = {"compare a.json b.json", "charts"})
  void reportsKeepAJarThatIsOlderThanItsSources(String arguments) throws Exception {
    Path target = Files.createDirectories(unbuilt.resolve("validator-bench/target"));
    Path jar = Files.createFile(target.resolve("benchmarks.jar"));
    Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
    assertEquals(3, run(ROOT.resolve("bench"), arguments.split(" ", -1)), "the jar is empty");
    assertTrue(err().contains("benchmarks.jar is older than its sources"), this::err);
    assertTrue(err().contains("benchmarks.jar cannot report; delete it"), this::err);
  }

  private int run(Path script, String... arguments) throws Exception {
    Path file = ROOT.equals(script.getParent()) ? unbuilt.resolve(script.getFileName()) : script;
    List<String> command = new ArrayList<>(List.of(file.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(directory.resolve("out").toFile())
            .redirectError(directory.resolve("err").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().merge("PATH", directory.resolve("bin") + ":", (path, bin) -> bin + path);
    Process process = builder.start();
    process.getOutputStream().close();
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    assertFalse(Files.exists(build), "a build was started");
    return process.exitValue();
  }

  private String out() {
    return read("out");
  }

  private String err() {
    return read("err");
  }

  private String read(String name) {
    try {
      return Files.readString(directory.resolve(name));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
