// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The workflows of the public repository run pinned actions, with few rights, and scripts that
 * exist.
 */
class WorkflowsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern USES = Pattern.compile("uses:.*");
  private static final Pattern SCRIPT = Pattern.compile("(?:\\./|(?=scripts/))([a-z/-]+)(.*)");
  private static final Pattern OPTION = Pattern.compile("--[a-z]+");

  static List<Path> workflows() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(".github/workflows"))) {
      return files.toList();
    }
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void pinActionsByCommit(Path workflow) throws IOException {
    Matcher uses = USES.matcher(Files.readString(workflow));
    int count = 0;
    while (uses.find()) {
      assertTrue(
          uses.group().matches("uses: [\\w-]+/[\\w-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+"),
          uses::group);
      count++;
    }
    assertTrue(count > 0);
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void onlyReadTheRepository(Path workflow) throws IOException {
    String text = Files.readString(workflow);
    assertTrue(text.contains("\npermissions:\n  contents: read\n\n"));
    assertEquals(text.indexOf("permissions:"), text.lastIndexOf("permissions:"));
    assertFalse(text.contains("secrets"));
    assertFalse(text.contains("pull_request_target"));
    assertEquals(count(text, "actions/checkout@"), count(text, "persist-credentials: false"));
  }

  @Test
  void runScriptsAsTheyAre() throws IOException {
    int scripts = 0;
    for (Path workflow : workflows()) {
      Matcher script = SCRIPT.matcher(Files.readString(workflow));
      while (script.find()) {
        Path file = ROOT.resolve(script.group(1));
        assertTrue(Files.isExecutable(file), file::toString);
        Matcher option = OPTION.matcher(script.group(2));
        while (option.find() && script.group().startsWith("scripts")) {
          assertTrue(Files.readString(file).contains("[" + option.group() + " "), script::group);
        }
        scripts++;
      }
    }
    assertTrue(scripts > 10, "scripts: " + scripts);
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }
}
