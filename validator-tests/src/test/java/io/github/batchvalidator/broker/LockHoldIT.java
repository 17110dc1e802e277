// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import io.github.batchvalidator.testing.Folders;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.GuestMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures for how long a live broker holds the lock of a hot partition, stock, with our jar, with
 * the agent, and of the fork, and for how long appends waited for it; with {@code -Dlock.hold=FILE}
 * writes it down ({@code scripts/lock-hold}).
 */
@Tag("slow")
class LockHoldIT {
  private static final int ROUNDS = Integer.getInteger("lock.rounds", 3);
  private static final long WARM_UP_MS = 1000L * Integer.getInteger("lock.warmup", 15);
  private static final long MEASURE_MS = 1000L * Integer.getInteger("lock.seconds", 15);
  private static final String LINE = System.getProperty("lock.line", "4.3");

  /** Too few to be the one append in a hundred that holds the lock for longest. */
  private static final double MOST_FALLBACKS = 0.001;

  @TempDir private Path folder;

  private final LockHoldReport report = new LockHoldReport();

  @Test
  void measure() throws Exception {
    byte[][] batches = LockHoldRun.batches();
    GuestMemory.touch(folder);
    for (int round = 1; round <= ROUNDS; round++) {
      for (BrokerBuild contender : BrokerBuild.values()) {
        if (contender.exists(LINE)) {
          run(contender, round, batches);
        }
      }
    }
    String text = report.text(LINE, batches[0].length);
    String file = System.getProperty("lock.hold");
    if (file != null) {
      Files.writeString(Path.of("..").resolve(file), text);
    }
    System.out.println(text);
    assertTrue(
        report.held(BrokerBuild.DROP_IN_AGENT.label()).p50()
            < report.held(BrokerBuild.KAFKA.label()).p50(),
        text);
    assertTrue(report.waited(BrokerBuild.KAFKA.label()).perSecond() > 0, text);
  }

  private void run(BrokerBuild contender, int round, byte[][] batches) throws Exception {
    Path place = Files.createDirectory(folder.resolve(contender + "-" + round));
    Path counts = place.resolve("lock-hold.txt");
    List<String> options = new ArrayList<>();
    options.add(LockRecording.option(place));
    options.add("-javaagent:" + AgentJar.write(place.resolve("lock-hold.jar")) + "=" + counts);
    try (BrokerProcess broker = Lines.measuredJars().start(contender, LINE, place, options)) {
      Path recording = place.resolve("waits.jfr");
      LockHoldRun run = new LockHoldRun(broker, counts, recording);
      report.add(contender.label(), round, run.measure(batches, WARM_UP_MS, MEASURE_MS));
      if (contender.hasDropIn()) {
        report.addStamps(contender.label(), round, checkCounts(broker, contender));
      }
    } finally {
      Folders.delete(place.resolve("data"));
    }
  }

  /** The run must measure what the table says. */
  private static String checkCounts(BrokerProcess broker, BrokerBuild contender) throws Exception {
    try (BrokerBeans beans = new BrokerBeans(broker)) {
      DropInMXBean counts = beans.dropIn();
      long stamped = counts.getOffLockStamped();
      long others = counts.getAccepted() - stamped;
      if (contender == BrokerBuild.DROP_IN_AGENT) {
        assertTrue(others <= MOST_FALLBACKS * stamped, () -> "" + counts.getOffLockFallbacks());
      } else {
        assertEquals(0, stamped);
      }
      return "%d only stamped under the lock, %d inspected there %s"
          .formatted(stamped, others, counts.getOffLockFallbacks());
    }
  }
}
