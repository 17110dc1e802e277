// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A release is refused if its validator is not the one that was measured. */
class CheckFiguresIT extends ThrowawayRepository {
  private static final String CORE = "validator-core/src/main/java/Core.java";
  private static final String FORK = "validator-fork/src/main/java/Fork.java";
  private static final String FORK_SETTINGS = "validator-fork/fork.xml";
  private static final String REBUILD =
      "validator-core/src/main/java/io/github/batchvalidator/internal/rebuild/New.java";
  private static final String SHEET = "validator-bench/results/quick-jdk17.md";
  private static final String SHEET_OF_BROKERS =
      "validator-bench/results/broker-4.3-rates-jdk17.md";

  @BeforeEach
  void publishFiguresOfTheFirstCommit() throws Exception {
    copy("scripts/common.sh", "scripts/release/check-figures");
    write(CORE, "1");
    write("validator-dropin/common/src/main/java/deep/DropIn.java", "1");
    write("README.md", "Fast ([machine](" + SHEET + ")).");
    write("docs/benchmarks.md", "No figures.");
    publish(SHEET);
  }

  /** Commits, and has sheets name that commit. */
  private void publish(String... sheets) throws Exception {
    commit();
    String measured = git("rev-parse", "--short", "HEAD");
    for (String sheet : sheets) {
      write(sheet, "| | |\n|---|---|\n| commit | " + measured + " |\n");
    }
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
    write(REBUILD, "1");
    write(FORK, "1");
    write(FORK_SETTINGS, "1");
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
  void aChangeOfRebuildOrTheForkIsReportedForLiveBrokers() throws Exception {
    write("docs/benchmarks.md", "Live ([machine](../" + SHEET_OF_BROKERS + ")).");
    write(FORK, "1");
    publish(SHEET, SHEET_OF_BROKERS);
    assertEquals(0, check(), this::output);
    write(FORK, "2");
    commit();
    assertOnlyBrokersAreStale();
    for (String file : List.of(REBUILD, FORK_SETTINGS)) {
      write(file, "1");
      publish(SHEET_OF_BROKERS);
      assertEquals(0, check(), this::output);
      write(file, "2");
      commit();
      assertOnlyBrokersAreStale();
    }
  }

  private void assertOnlyBrokersAreStale() throws Exception {
    assertEquals(1, check(), this::output);
    assertTrue(output().startsWith(SHEET_OF_BROKERS + ": the validator changed"), this::output);
    assertEquals(1, output().lines().count(), this::output);
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
    publish(SHEET);
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

  private int check() throws Exception {
    return run("scripts/release/check-figures");
  }
}
