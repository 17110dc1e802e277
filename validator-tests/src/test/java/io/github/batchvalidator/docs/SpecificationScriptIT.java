// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The script adds up results of one commit and JVM only, and fails if there is a difference. */
class SpecificationScriptIT extends ThrowawayRepository {
  private static final String SUMMARIES = "validator-tests/target/specification";

  /** A command that leaves a file in the directory of a run, or prints a number of differences. */
  private static final String JAVA =
      """
      case " $* " in
        *' -version '*)
          echo '    java.vm.version = VERSION' >&2
          exit
          ;;
      esac
      while [ $# -gt 0 ] && [ "${1##*.}" != Specification ]; do shift; done
      case "$2" in
        run)
          mkdir -p "$3"
          echo > "$3/shard-$$"
          ;;
        replay | summary) echo '   DIFFERENCES  = unexplained differences' ;;
        *) exit 2 ;;
      esac
      """;

  @BeforeEach
  void commitTheScript() throws Exception {
    copy("scripts/common.sh", "scripts/specification");
    write(".gitignore", "target/\n");
    write("validator-tests/target/class-path", "a.jar");
    replaceCommand("mvn", "");
    java("17.0.1+12", 0);
    commit();
  }

  private void java(String version, int differences) throws IOException {
    String text = JAVA.replace("VERSION", version);
    replaceCommand("java", text.replace("DIFFERENCES", String.valueOf(differences)));
  }

  @Test
  void aRunOfTheSameCommitGoesOn() throws Exception {
    assertEquals(0, specification(), this::output);
    assertEquals(0, specification(), this::output);
    assertEquals(2, shards());
    assertEquals(1, folders());
  }

  @Test
  void aRunOnAnotherJvmStartsAnew() throws Exception {
    assertEquals(0, specification(), this::output);
    java("21.0.2+13 (a/b)", 0);
    assertEquals(0, specification(), this::output);
    assertEquals(2, shards());
    assertEquals(2, folders());
  }

  @Test
  void aRunWithChangesStartsAnew() throws Exception {
    write("new.java", "class New {}");
    assertEquals(0, specification(), this::output);
    assertEquals(0, specification(), this::output);
    assertEquals(1, shards());
    Files.delete(path("new.java"));
    assertEquals(0, specification(), this::output);
    assertEquals(2, shards(), "that of the changes, and one of the commit");
  }

  @Test
  void aRunOfWhatTheLastBuildLeftStartsAnew() throws Exception {
    assertEquals(0, specification("--built"), this::output);
    assertEquals(0, specification("--built"), this::output);
    assertEquals(1, shards());
    assertEquals(0, specification(), this::output);
    assertEquals(2, shards(), "that of the last build, and one of the commit");
  }

  @Test
  void aDifferenceFails() throws Exception {
    assertEquals(0, specification("--replay", "5"), this::output);
    java("17.0.1+12", 1);
    assertEquals(1, specification(), this::output);
    assertEquals(1, specification("--replay", "5"), this::output);
  }

  private int specification(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("--processes", "1"));
    all.addAll(List.of(arguments));
    return run("scripts/specification", all.toArray(String[]::new));
  }

  private long shards() throws IOException {
    try (Stream<Path> files = Files.walk(path(SUMMARIES))) {
      return files.filter(file -> file.getFileName().toString().startsWith("shard-")).count();
    }
  }

  private long folders() throws IOException {
    try (Stream<Path> files = Files.list(path(SUMMARIES))) {
      return files.filter(Files::isDirectory).count();
    }
  }
}
