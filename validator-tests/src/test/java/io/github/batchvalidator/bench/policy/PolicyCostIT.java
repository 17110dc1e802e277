// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The files and the report of {@code scripts/policy-cost}. */
class PolicyCostIT {
  @TempDir private Path folder;

  @Test
  void aRowHasAllColumns() throws Exception {
    String row = PolicyCost.row(HostilePolicy.FEW_SECTIONS, folder);
    assertTrue(
        row.matches(
            "\\| 3 sections \\| accepted (\\| \\d+ ){2}\\| \\d+\\.\\d \\| \\d+ "
                + "\\| -?\\d+ (\\| \\d+ ){3}\\|"),
        row);
    assertEquals(
        PolicyCost.HEAD.lines().findFirst().orElseThrow().chars().filter(c -> c == '|').count(),
        row.chars().filter(c -> c == '|').count());
  }

  @ParameterizedTest
  @EnumSource(
      value = HostilePolicy.class,
      names = {"MOST_SECTIONS", "MILLION_IDS", "SLOW_PATTERNS", "EVERYTHING"})
  void filesAtTheLimitsAreAccepted(HostilePolicy policy) throws Exception {
    PolicyFile file = PolicyFile.load(policy.write(folder));
    boolean hasSections = policy != HostilePolicy.MILLION_IDS;
    assertEquals(hasSections ? PolicyFile.MAX_SECTIONS : 1, file.sections().size());
  }

  @ParameterizedTest
  @EnumSource(
      value = HostilePolicy.class,
      names = {"TOO_MANY_SECTIONS", "MISTAKES", "LONG_LINE", "TOO_LARGE"})
  void filesBeyondTheLimitsAreRefused(HostilePolicy policy) throws Exception {
    Path file = policy.write(folder);
    assertThrows(PolicyFileException.class, () -> PolicyFile.load(file));
  }

  @Test
  void theRowOfARefusedFileHasNoLookUps() throws Exception {
    String row = PolicyCost.row(HostilePolicy.MISTAKES, folder);
    assertTrue(row.contains("| refused: "), row);
    assertTrue(row.endsWith("| | | | |"), row);
  }

  @Test
  void theScriptNamesAllFiles() throws Exception {
    String script = Files.readString(Path.of("..", "scripts", "policy-cost"));
    for (HostilePolicy policy : HostilePolicy.values()) {
      assertTrue(script.contains(policy.name()), policy::name);
    }
  }
}
