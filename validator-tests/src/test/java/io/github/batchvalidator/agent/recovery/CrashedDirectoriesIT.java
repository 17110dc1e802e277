// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Crashed partitions end in the same state, file for file, whether stock Kafka recovers them or the
 * agent does. {@code scripts/crashed-directories} runs this with more of them.
 */
class CrashedDirectoriesIT {
  private static final int DIRECTORIES = Integer.getInteger("crashed.directories", 60);
  private static final long SEED = Long.getLong("crashed.seed", 1);

  @ParameterizedTest
  @ValueSource(strings = {"4.1.1", "4.2.0", "4.2.2", "4.3.1", "4.4.0"})
  void endAsWithStockKafka(String version) throws Exception {
    try (KafkaSide stock = stock(version);
        KafkaSide ours = ours(version)) {
      RecoveredTwice both = RecoveredTwice.of(stock, ours);
      for (long seed = SEED; seed < SEED + DIRECTORIES; seed++) {
        assertEquals("", both.compare(seed), "seed " + seed);
        if ((seed - SEED) % 10_000 == 9_999) {
          System.out.println(version + ": no difference up to seed " + seed);
        }
      }
      both.clear();
      assertBothWaysTaken(ours);
    }
  }

  @Test
  void endAsWithStockKafkaForEachLengthOfTheLastBatch() throws Exception {
    try (KafkaSide stock = stock("4.3.1");
        KafkaSide ours = ours("4.3.1")) {
      RecoveredTwice both = RecoveredTwice.of(stock, ours);
      assertEquals("", both.compareTorn(SEED, 200));
      both.clear();
      assertBothWaysTaken(ours);
    }
  }

  /** Neither way may be so rare that a run shows nothing. */
  private static void assertBothWaysTaken(KafkaSide ours) throws Exception {
    long[] counts = ours.counts();
    assertTrue(counts[0] > 20 && counts[1] > 5, counts[0] + " recovered, " + counts[1] + " left");
    System.out.println(counts[0] + " segments recovered, left to Kafka: " + ours.reasons());
  }

  static KafkaSide stock(String version) throws Exception {
    return new KafkaSide(Lines.loader(kafka(version)));
  }

  static KafkaSide ours(String version) throws Exception {
    List<Path> path = kafka(version);
    path.add(0, Lines.jars().agentJar());
    return KafkaSide.changed(path);
  }

  private static List<Path> kafka(String version) throws Exception {
    List<Path> path = new ArrayList<>(Lines.kafka(version));
    // Kafka's log needs the library of metrics, which only a whole broker has.
    Lines.jars().stock("4.3").stream()
        .filter(jar -> jar.getFileName().toString().startsWith("metrics-core"))
        .forEach(path::add);
    path.add(testClasses());
    return path;
  }

  private static Path testClasses() throws Exception {
    return Path.of(
        CrashedDirectoriesIT.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
