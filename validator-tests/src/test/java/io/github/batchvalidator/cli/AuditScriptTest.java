// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code audit} in a checkout that is not built, and whose build would fail. */
class AuditScriptTest {
  private static final Path ROOT = Path.of("..");

  @TempDir private Path home;

  @Test
  void theVersionNeedsNoBuild() throws IOException, InterruptedException {
    Files.copy(ROOT.resolve("audit"), home.resolve("audit"), StandardCopyOption.COPY_ATTRIBUTES);
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
}
