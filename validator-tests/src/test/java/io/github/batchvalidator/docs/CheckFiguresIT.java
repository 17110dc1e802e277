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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release is refused if its validator is not the one that was measured. */
class CheckFiguresIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String CORE = "validator-core/src/main/java/Core.java";
  private static final String SHEET = "validator-bench/results/quick-jdk17.md";

  @TempDir private Path folder;
  private Path repository;

  @BeforeEach
  void publishFiguresOfTheFirstCommit() throws Exception {
    repository = Files.createDirectory(folder.resolve("repository"));
    for (String script : List.of("scripts/common.sh", "scripts/release/check-figures")) {
      write(script, Files.readString(ROOT.resolve(script)));
    }
    write(CORE, "1");
    write("validator-dropin/common/src/main/java/deep/DropIn.java", "1");
    write("README.md", "Fast ([machine](" + SHEET + ")).");
    write("docs/benchmarks.md", "No figures.");
    publish();
  }

  /** Commits, and has the sheet name that commit. */
  private void publish() throws Exception {
    commit();
    String measured = git("rev-parse", "--short", "HEAD");
    write(SHEET, "| | |\n|---|---|\n| commit | " + measured + " |\n");
    commit();
  }

  @Test
  void figuresOfThisValidatorPass() throws Exception {
    assertEquals(0, check(), this::output);
    write("validator-core/src/test/java/CoreTest.java", "1");
    write("docs/rules.md", "1");
    commit();
    assertEquals(0, check(), this::output);
  }

  @Test
  void aChangeOfTheCoreIsReported() throws Exception {
    write(CORE, "2");
    commit();
    assertEquals(1, check());
    assertTrue(output().contains(SHEET + ": the validator changed since commit"), this::output);
  }

  @Test
  void aChangeOfWhatAnAppendInPlaceDoesNotRunPasses() throws Exception {
    String agent = "validator-dropin/agent/src/main/java/io/github/batchvalidator/agent/";
    String common = "validator-dropin/common/src/main/java/io/github/batchvalidator/dropin/";
    write("validator-core/src/main/java/io/github/batchvalidator/internal/rebuild/New.java", "1");
    write(common + "preflight/New.java", "1");
    write(common + "settings/New.java", "1");
    write(common + "rules/PolicyWatch.java", "1");
    write(agent + "keep/New.java", "1");
    write(agent + "recovery/New.java", "1");
    commit();
    assertEquals(0, check(), this::output);
    write(agent + "New.java", "1");
    commit();
    assertEquals(1, check(), this::output);
  }

  @Test
  void aChangeBesideRebuildIsReported() throws Exception {
    write("validator-core/src/main/java/io/github/batchvalidator/internal/New.java", "1");
    commit();
    assertEquals(1, check(), this::output);
  }

  @Test
  void aChangeOfACommentPasses() throws Exception {
    write(CORE, "/**\n * Old.\n */\nint a =\n    2\n        * 3; // old\n");
    publish();
    write(
        CORE,
        "/**\n * New.\n *\n * <p>Newer.\n */\nint a =\n    // New.\n    2\n        * 3; // old\n");
    commit();
    assertEquals(0, check(), this::output);
    write(CORE, "/**\n * New.\n */\nint a =\n    2\n        * 4; // old\n");
    commit();
    assertEquals(1, check(), this::output);
  }

  @Test
  void aChangeOfADropInIsReported() throws Exception {
    write("validator-dropin/common/src/main/java/deep/DropIn.java", "2");
    commit();
    assertEquals(1, check(), this::output);
  }

  @Test
  void aSheetWithoutAKnownCommitIsReported() throws Exception {
    write(SHEET, "| commit | e0e0e0e-dirty |\n");
    commit();
    assertEquals(1, check());
    assertTrue(output().contains("\"e0e0e0e-dirty\" is not in this repository"), this::output);
  }

  private void write(String file, String text) throws IOException {
    Path path = repository.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void commit() throws Exception {
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=A", "-c", "user.email=a@localhost", "commit", "-q", "-m", "Change");
  }

  private String git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    assertEquals(0, run(command), this::output);
    return output().strip();
  }

  private int check() throws Exception {
    return run(List.of("bash", repository.resolve("scripts/release/check-figures").toString()));
  }

  private int run(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .directory(repository.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    return process.exitValue();
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
