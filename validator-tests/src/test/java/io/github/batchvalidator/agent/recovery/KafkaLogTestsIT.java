// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.batchvalidator.agent.compaction.DamagedSegmentException;
import io.github.batchvalidator.dropin.KafkaOwnTests;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testing.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka's own compiled tests of its log pass in a JVM with the agent: in {@code mvn verify} those
 * of 4.3, in the profiles {@code broker-all} and {@code slow-tests} also those of 4.2 and 4.1.
 *
 * <p>There are no compiled tests of 4.4. Those of 4.3 use classes that moved or became final there.
 */
class KafkaLogTestsIT {
  private static final String SCALA = "kafka.log.";
  private static final String LOG = "org.apache.kafka.storage.internals.log.";
  private static final String CLEANER = SCALA + "LogCleanerParameterizedIntegrationTest";
  private static final String GUARD = "agent.compaction.CompactionGuard";

  /** Waits two seconds for the cleaner, which a busy machine may take. */
  private static final String HASTY = "testMarksPartitionsAsOfflineAndPopulatesUncleanableMetrics";

  @TempDir private Path directory;
  private Path logs;

  @BeforeEach
  void createLogs() throws Exception {
    logs = Directories.create();
  }

  @AfterEach
  void deleteLogs() throws Exception {
    Folders.delete(logs);
  }

  private static Map<String, Integer> casesOf43() {
    Map<String, Integer> cases = new TreeMap<>();
    cases.put(LOG + "LogSegmentTest", 35);
    cases.put(LOG + "ProducerStateManagerTest", 64);
    cases.put(LOG + "UnifiedLogTest", 105);
    cases.put(LOG + "LogCleanerManagerTest", 31);
    cases.put(LOG + "LogCleanerLagIntegrationTest", 8);
    cases.put(SCALA + "LogLoaderTest", 34);
    cases.put(SCALA + "UnifiedLogTest", 77);
    cases.put(SCALA + "LogCleanerTest", 52);
    return cases;
  }

  private static Map<String, Integer> earlierCases(int producers, int unified) {
    Map<String, Integer> cases = new TreeMap<>();
    cases.put(LOG + "LogSegmentTest", 35);
    cases.put(LOG + "ProducerStateManagerTest", producers);
    cases.put(LOG + "UnifiedLogTest", 1);
    cases.put(SCALA + "LogCleanerManagerTest", 31);
    cases.put(SCALA + "LogCleanerLagIntegrationTest", 5);
    cases.put(SCALA + "LogLoaderTest", 34);
    cases.put(SCALA + "UnifiedLogTest", unified);
    cases.put(SCALA + "LogCleanerTest", 52);
    return cases;
  }

  @Test
  void everyCasePasses() throws Exception {
    checkBoth("4.3", "4.3.1", casesOf43());
  }

  @Test
  @Tag("slow")
  void everyCaseOf42Passes() throws Exception {
    checkBoth("4.2", "4.2.0", earlierCases(64, 174));
  }

  @Test
  @Tag("slow")
  void everyCaseOf41Passes() throws Exception {
    checkBoth("4.1", "4.1.1", earlierCases(58, 163));
  }

  /** Half a minute of three. The other methods wait 15 seconds in most cases. */
  @Test
  void compactionOfEachCodecPasses() throws Exception {
    String quick = ".*(testCleansCombined|testCleaningNested|cleanerConfigUpdate).*";
    String classes = check("4.3", "4.3.1", Map.of(CLEANER, 14), "--include-methodname=" + quick);
    assertTrue(classes.contains(GUARD));
  }

  @Test
  @Tag("slow")
  void compactionPassesWithAllItsCases() throws Exception {
    assertTrue(check("4.3", "4.3.1", Map.of(CLEANER, 23)).contains(GUARD));
  }

  private void checkBoth(String line, String version, Map<String, Integer> cases) throws Exception {
    String classes = check(line, version, cases);
    assertTrue(classes.contains(SegmentScan.class.getName()));
    assertTrue(classes.contains(DamagedSegmentException.class.getName()));
  }

  /** Runs tests, and returns the classes that were loaded. */
  private String check(String line, String version, Map<String, Integer> cases, String... selection)
      throws Exception {
    assumeTrue(Lines.brokers().contains(line), "has no brokers of " + line);
    List<Path> path = new ArrayList<>(Lines.jars().stock(line));
    path.addAll(Lines.kafkaLogTests(version));
    Path loaded = directory.resolve("loaded.txt");
    KafkaOwnTests tests = new KafkaOwnTests(directory);
    List<String> options =
        List.of(
            Lines.jars().agent(),
            "-Dbatchvalidator.stored.recovery=enforce",
            "-Dbatchvalidator.stored.keep=enforce",
            "-Dbatchvalidator.stored.compaction=enforce",
            // Most of the time would be flushes of the disk.
            "-Djava.io.tmpdir=" + logs,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx512m",
            "-Xlog:class+load:file=" + loaded);
    tests.run(path, options, cases.keySet(), selection);
    if (tests.failures().startsWith(HASTY) && tests.count("failures") == 1) {
      tests.run(path, options, cases.keySet(), selection);
    }
    assertEquals("", tests.failures());
    assertEquals(cases, tests.cases());
    assertEquals(0, tests.count("skipped"));
    return Files.readString(loaded);
  }
}
