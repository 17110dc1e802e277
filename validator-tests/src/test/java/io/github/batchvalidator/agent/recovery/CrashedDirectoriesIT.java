// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.stored.BrokerPath;
import io.github.batchvalidator.agent.stored.OtherDropIn;
import io.github.batchvalidator.dropin.Lines;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Crashed partitions end in the same state, file for file, whether stock Kafka recovers them or the
 * agent does. {@code scripts/crashed-directories} runs this with more of them.
 */
class CrashedDirectoriesIT {
  private static final int DIRECTORIES = Integer.getInteger("crashed.directories", 60);
  private static final int KILLED_DIRECTORIES = Integer.getInteger("crashed.killed", 30);
  private static final int BESIDE_DIRECTORIES = 20;
  private static final long SEED = Long.getLong("crashed.seed", 1);

  /** A partition with segments that the agent recovers, unlike that of some other seeds. */
  private static final long RECOVERED_SEED = 1;

  @ParameterizedTest
  @ValueSource(strings = {"4.1.1", "4.2.0", "4.2.2", "4.3.1", "4.4.0"})
  void endAsWithStockKafka(String version) throws Exception {
    try (KafkaSide stock = stock(version);
        KafkaSide ours = ours(version);
        RecoveredTwice both = new RecoveredTwice(stock, ours)) {
      for (long seed = SEED; seed < SEED + DIRECTORIES; seed++) {
        assertEquals("", both.compare(seed), "seed " + seed);
        printProgress(version, seed);
      }
      assertBothWaysTaken(ours);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.1", "4.2.0", "4.2.2", "4.3.1", "4.4.0"})
  void endAsWithStockKafkaAfterKillsDuringRecovery(String version) throws Exception {
    try (KafkaSide stock = stock(version);
        KafkaSide ours = KafkaSide.killed(BrokerPath.withAgent(version));
        KilledRecovery killed = new KilledRecovery(stock, ours)) {
      for (long seed = SEED; seed < SEED + KILLED_DIRECTORIES; seed++) {
        assertEquals("", killed.compare(seed), "seed " + seed);
        printProgress(version + ", kills during recovery", seed);
      }
      assertBothWaysTaken(ours);
    }
  }

  private static void printProgress(String what, long seed) {
    if ((seed - SEED) % 10_000 == 9_999) {
      System.out.println(what + ": no difference up to seed " + seed);
    }
  }

  @Test
  void endAsWithStockKafkaBesideADropInOfAnotherVersion(@TempDir Path folder) throws Exception {
    Path dropIn = OtherDropIn.write("4.3", folder.resolve("drop-in.jar"));
    List<Path> path = BrokerPath.withDropIn(dropIn, "4.3.1", Lines.jars().agentJar());
    try (KafkaSide stock = stock("4.3.1");
        KafkaSide ours = KafkaSide.changed(path);
        RecoveredTwice both = new RecoveredTwice(stock, ours)) {
      for (long seed = SEED; seed < SEED + BESIDE_DIRECTORIES; seed++) {
        assertEquals("", both.compare(seed), "seed " + seed);
      }
      assertBothWaysTaken(ours);
    }
  }

  @Test
  void endAsWithStockKafkaForEachLengthOfTheLastBatch() throws Exception {
    try (KafkaSide stock = stock("4.3.1");
        KafkaSide ours = ours("4.3.1");
        RecoveredTwice both = new RecoveredTwice(stock, ours)) {
      assertEquals("", both.compareTorn(RECOVERED_SEED, 200));
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
    return new KafkaSide(Lines.loader(BrokerPath.stock(version)));
  }

  static KafkaSide ours(String version) throws Exception {
    return KafkaSide.changed(BrokerPath.withAgent(version));
  }
}
