// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.compaction.DamagedSegmentException;
import io.github.batchvalidator.dropin.KafkaOwnTests;
import io.github.batchvalidator.dropin.Lines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kafka's own compiled tests of its log pass in a JVM with the agent. */
class KafkaLogTestsIT {
  private static final String LOG = "org.apache.kafka.storage.internals.log.";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    LOG + "LogSegmentTest, 35",
    LOG + "ProducerStateManagerTest, 64",
    LOG + "UnifiedLogTest, 105",
    "kafka.log.LogLoaderTest, 34",
    "kafka.log.UnifiedLogTest, 77",
    "kafka.log.LogCleanerTest, 52",
    LOG + "LogCleanerManagerTest, 31",
    LOG + "LogCleanerLagIntegrationTest, 8"
  })
  void everyCasePasses(String test, int cases) throws Exception {
    List<Path> path = new ArrayList<>(Lines.jars().stock("4.3"));
    path.addAll(Lines.kafkaTests("4.3.1"));
    try (Stream<Path> more = Files.list(Lines.build().resolve("kafka-log-tests"))) {
      more.sorted().forEach(path::add);
    }
    Path loaded = directory.resolve("loaded.txt");
    KafkaOwnTests tests = new KafkaOwnTests(directory);
    tests.run(
        path,
        List.of(
            Lines.jars().agent(),
            "-Dbatchvalidator.stored.recovery=enforce",
            "-Dbatchvalidator.stored.keep=enforce",
            "-Dbatchvalidator.stored.compaction=enforce",
            "-Xmx512m",
            "-Xlog:class+load:file=" + loaded),
        test);
    assertEquals("", tests.failures());
    assertEquals(cases, tests.count("tests"));
    assertEquals(0, tests.count("skipped"));
    if (test.endsWith(".LogSegmentTest")) {
      assertTrue(Files.readString(loaded).contains(SegmentScan.class.getName()));
    }
    if (test.endsWith(".LogCleanerTest")) {
      assertTrue(Files.readString(loaded).contains(DamagedSegmentException.class.getName()));
    }
  }
}
