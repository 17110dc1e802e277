// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that dies: 10 kills of 4.3 in {@code mvn verify}, with jar, agent and policy file on
 * all brokers. {@code scripts/chaos} runs more, other lines and other faults.
 */
@Tag("broker")
class ChaosIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @Test
  void keepsWhatItAcknowledged() throws Exception {
    Plan plan = Plan.ofProperties();
    String report = System.getProperty("chaos.report", "");
    String obstacle = plan.scenario() == Scenario.DISK ? Disk.obstacle(folder) : null;
    if (obstacle != null) {
      skip(obstacle, report);
    }
    ChaosResult result = ChaosRun.of(plan, folder);
    if (!report.isEmpty()) {
      result.append(Path.of(report));
    }
    assertEquals("", result.firstFaults(), result::toRow);
    assertTrue(result.records(Fate.ACKNOWLEDGED) > 100 * result.kills(), result::toRow);
    assertTrue(result.records(Fate.REJECTED) > 0, result::toRow);
    assertTrue(result.transactions().of(Fate.ACKNOWLEDGED) > result.kills(), result::toRow);
    assertTrue(result.transactions().of(Fate.ABORTED) > 0, result::toRow);
    assertTrue(result.rejections() > 0, result::toRow);
  }

  /** Skips a run that is not possible here. A run that a script has asked for fails. */
  static void skip(String obstacle, String report) {
    assertTrue(report.isEmpty(), obstacle);
    System.out.println("Skipped: " + obstacle); // Maven prints no reason
    abort(obstacle);
  }
}
