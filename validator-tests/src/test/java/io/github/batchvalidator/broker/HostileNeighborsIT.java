// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.hostile.HostileInputs;
import io.github.batchvalidator.hostile.HostileLoad;
import io.github.batchvalidator.testing.Folders;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.GuestMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures a well-behaved producer while a hostile client sends one class of input at full speed.
 * Each class meets a new broker: stock, with jar and agent, and with limits too. {@code
 * scripts/hostile-neighbors} runs it.
 */
@Tag("slow")
class HostileNeighborsIT {
  private static final String LINE = System.getProperty("neighbors.line", "4.3");
  private static final int SECONDS = Integer.getInteger("neighbors.seconds", 8);

  /** The default of {@code message.max.bytes}. */
  private static final int LARGEST_BATCH = 1024 * 1024 + 12;

  /** That of a release's script. */
  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

  private static final List<String> LIMITED =
      List.of("-Dbatchvalidator.level=strict", "-Dbatchvalidator.limits=broker-default");

  @TempDir private Path folder;

  private final NeighborReport report = new NeighborReport();
  private final List<String> faults = new ArrayList<>();

  private enum Contender {
    STOCK("stock", BrokerBuild.KAFKA),
    OURS("jar and agent", BrokerBuild.DROP_IN_AGENT),
    LIMITED_OURS("`strict`, `broker-default`", BrokerBuild.DROP_IN_AGENT);

    private final String label;
    private final BrokerBuild build;

    Contender(String label, BrokerBuild build) {
      this.label = label;
      this.build = build;
    }

    private List<String> options() {
      List<String> options = new ArrayList<>(HEAP);
      options.addAll(this == LIMITED_OURS ? LIMITED : List.of());
      return options;
    }
  }

  @Test
  void measure() throws Exception {
    GuestMemory.touch(folder);
    for (Contender contender : Contender.values()) {
      run(contender, "no hostile client", null);
    }
    for (HostileLoad load : HostileInputs.loads()) {
      assertTrue(load.bytes().length <= LARGEST_BATCH, load.family());
      for (Contender contender : Contender.values()) {
        run(contender, load.family(), load);
      }
    }
    String text = report.text(head());
    System.out.println(text);
    String file = System.getProperty("neighbors.report");
    if (file != null) {
      Files.writeString(Path.of(file), text);
    }
    assertEquals(List.of(), faults);
  }

  private void run(Contender contender, String family, @Nullable HostileLoad load)
      throws Exception {
    Path place = Files.createTempDirectory(folder, "broker");
    try (BrokerProcess broker =
        Lines.measuredJars().start(contender.build, LINE, place, contender.options())) {
      NeighborFigures figures = new NeighborRun(broker, 1000L * SECONDS).measure(load);
      report.add(family, contender.label, figures);
      check(contender, family, figures);
    } finally {
      Folders.delete(place);
    }
  }

  /** Ours stays up and serves the producer; each hostile request gets the same answer. */
  private void check(Contender contender, String family, NeighborFigures figures) {
    assertFalse(figures.answers().containsKey(Errors.MESSAGE_TOO_LARGE), family);
    boolean good =
        figures.troubles().isEmpty() && figures.failed() == 0 && figures.answers().size() <= 1;
    if (contender != Contender.STOCK && !good) {
      faults.add(contender.label + ", " + family + ": " + figures.toCells());
    }
  }

  private static String head() {
    return """
    # A producer beside a hostile client at full speed

    `scripts/hostile-neighbors --line %s --seconds %d --report FILE`, commit %s; JDK %s, %d processors, which broker and clients share.

    A producer sends one record of 1 KiB after the other, 5 ms apart, while a hostile client sends one class of input on %d connections, each as fast as it is answered. Each cell has a new broker with 1 GiB of heap. Its figures start 5 s after the producer and 2 s after the hostile client.

    - Short table: the producer's p99 in ms, the hostile requests that were answered per second, and what the broker's log shows. A p99 of fewer than 100 records is their longest.
    - `strict`, `broker-default`: jar and agent with both settings.
    """
        .formatted(
            LINE,
            SECONDS,
            System.getProperty("neighbors.commit", "unknown"),
            System.getProperty("java.version"),
            Runtime.getRuntime().availableProcessors(),
            HostileFlood.CONNECTIONS);
  }
}
