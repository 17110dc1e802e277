// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fork;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.recovery.Directories;
import io.github.batchvalidator.dropin.KafkaOwnTests;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testing.Folders;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own compiled tests pass with the fork's jar in place of {@code kafka-storage}. */
class KafkaForkIT {
  private static final String LINE = "4.3";
  private static final String LOG = "org.apache.kafka.storage.internals.log.";
  private static final String FORK = "io/github/batchvalidator/fork/";
  private static final String CHANGED = LOG.replace('.', '/') + "UnifiedLog";

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

  /** All other classes are those of the release. */
  @Test
  void onlyUnifiedLogIsChanged() throws IOException {
    BrokerJars jars = Lines.jars();
    TreeSet<String> differing = new TreeSet<>();
    try (ZipFile stock = new ZipFile(jars.storage(LINE).toFile());
        ZipFile fork = new ZipFile(jars.forkJar(LINE).toFile())) {
      Set<String> names = names(stock);
      names.addAll(names(fork));
      for (String name : names) {
        if (!Arrays.equals(read(stock, name), read(fork, name))) {
          differing.add(name);
        }
      }
    }
    differing.removeIf(name -> name.startsWith(FORK) || name.startsWith("META-INF/"));
    differing.removeIf(name -> name.startsWith(CHANGED + "$") || name.equals(CHANGED + ".class"));
    assertEquals(List.of(), List.copyOf(differing));
  }

  private static Set<String> names(ZipFile jar) {
    TreeSet<String> names = new TreeSet<>();
    jar.stream().filter(each -> !each.isDirectory()).map(ZipEntry::getName).forEach(names::add);
    return names;
  }

  private static byte[] read(ZipFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    if (entry == null) {
      return new byte[0];
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  @Test
  void everyCaseOfTheLogPasses() throws Exception {
    check(Map.of(LOG + "UnifiedLogTest", 105, "kafka.log.UnifiedLogTest", 77));
  }

  @Test
  @Tag("slow")
  void everyCaseAroundTheLogPasses() throws Exception {
    check(
        Map.of(
            "kafka.log.LogLoaderTest", 34,
            "kafka.server.ReplicaManagerTest", 128,
            "kafka.cluster.PartitionTest", 86,
            "kafka.cluster.PartitionLockTest", 4));
  }

  @Test
  @Tag("slow")
  void everyCaseWithBrokersPasses() throws Exception {
    check(
        Map.of(
            "kafka.server.ProduceRequestTest", 6,
            "kafka.server.FetchRequestTest", 13));
  }

  @Test
  @Tag("slow")
  void everyCaseOfTransactionsPasses() throws Exception {
    check(Map.of("kafka.api.TransactionsTest", 42));
  }

  private void check(Map<String, Integer> cases) throws Exception {
    List<Path> path = new ArrayList<>(Lines.jars().fork(LINE));
    path.addAll(Lines.kafkaLogTests("4.3.1"));
    Path loaded = directory.resolve("loaded.txt");
    KafkaOwnTests tests = new KafkaOwnTests(directory);
    tests.run(
        path,
        List.of(
            "-Djava.io.tmpdir=" + logs,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx512m",
            "-Xlog:class+load:file=" + loaded),
        cases.keySet());
    assertEquals("", tests.failures());
    assertEquals(new TreeMap<>(cases), tests.cases());
    assertEquals(0, tests.count("skipped"));
    assertTrue(Files.readString(loaded).contains(EarlyAppend.class.getName()));
  }
}
