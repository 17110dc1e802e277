// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code audit} in a separate checkout. */
class AuditScriptTest {
  private static final Path ROOT = Path.of("..");

  @TempDir private Path home;

  @BeforeEach
  void copyScript() throws IOException {
    Files.copy(ROOT.resolve("audit"), home.resolve("audit"), StandardCopyOption.COPY_ATTRIBUTES);
  }

  /** The checkout is not built, and its build would fail. */
  @Test
  void theVersionNeedsNoBuild() throws IOException, InterruptedException {
    Files.writeString(
        home.resolve("pom.xml"), "<project>\n  <version>1.2.3</version>\n  <no build\n");
    for (String option : List.of("--version", "-V")) {
      Process script =
          new ProcessBuilder(home.resolve("audit").toString(), option)
              .redirectErrorStream(true)
              .start();
      String out = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, script.waitFor(), out);
      assertEquals("audit 1.2.3\n", out);
    }
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void aSignalToTheScriptEndsJava(String signal, int code)
      throws IOException, InterruptedException {
    writeBuilt();
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/usr/bin/env bash\nexec sleep 60\n");
    assertTrue(java.toFile().setExecutable(true));
    ProcessBuilder builder = new ProcessBuilder(home.resolve("audit").toString(), "some.log");
    builder.environment().put("JAVA_HOME", home.toString());
    builder.environment().remove("JAVA_OPTS");
    ScriptSignal.assertEndsJava(builder, signal, code);
  }

  /** Writes the files of a checkout that is built. The jar is the last one. */
  private void writeBuilt() throws IOException {
    Files.createFile(home.resolve("pom.xml"));
    for (String module :
        List.of("validator-core", "validator-policy", "validator-audit", "validator-spark")) {
      Files.createDirectories(home.resolve(module).resolve("src"));
      Files.createFile(home.resolve(module).resolve("pom.xml"));
    }
    Path docs = Files.createDirectories(home.resolve("docs"));
    for (String page : List.of("audit.md", "check.md", "rules.md")) {
      Files.createFile(docs.resolve(page));
    }
    Path target = Files.createDirectories(home.resolve("validator-spark/target"));
    Files.createFile(target.resolve("class-path"));
    Files.createFile(target.resolve("audit.jar"));
  }
}
