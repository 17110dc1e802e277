// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.report.FlamePage;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.bench.report.StackTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** What a profiler sees of the brokers of one cell, slot by slot, and the flame graphs of it. */
final class CellProfile {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Cell cell;
  private final Path library;
  private final Path folder;
  private final Map<Profiler.Event, Map<BrokerContender, List<String>>> stacks =
      new EnumMap<>(Profiler.Event.class);

  /**
   * Begins without a slot.
   *
   * @param library of async-profiler
   * @param folder of stacks and flame graphs
   */
  CellProfile(Cell cell, Path library, Path folder) {
    this.cell = cell;
    this.library = library;
    this.folder = folder;
  }

  /**
   * Looks at a broker while it is under load.
   *
   * @param load returns when it is done
   * @return what the validator took, per unit of work
   */
  Map<LiveFigure, Double> slot(
      Profiler.Event event,
      BrokerContender contender,
      BrokerProcess broker,
      Callable<Produced> load)
      throws Exception {
    Profiler profiler = new Profiler(library, broker);
    List<String> all =
        stacks
            .computeIfAbsent(event, any -> new EnumMap<>(BrokerContender.class))
            .computeIfAbsent(contender, any -> new ArrayList<>());
    profiler.start(event);
    Produced produced = load.call();
    List<String> lines = profiler.stop(folder.resolve(fileName(event, contender)));
    all.addAll(lines);
    StackTree seen = StackTree.ofCollapsed(lines);
    Map<LiveFigure, Double> figures = new EnumMap<>(LiveFigure.class);
    figures.put(event.share(), 100 * seen.share(ValidatorFrames::isEntry));
    if (event == Profiler.Event.CPU) {
      double seconds = seen.weightBelow(ValidatorFrames::isEntry) / NANOS_PER_SECOND;
      double gigabytes = produced.records() * cell.valueBytes() / 1e9;
      figures.put(LiveFigure.VALIDATOR_CPU, seconds / gigabytes);
    }
    return figures;
  }

  private String fileName(Profiler.Event event, BrokerContender contender) {
    return cell.fileName() + "-" + contender + "-" + event + ".collapsed";
  }

  /** Draws what was seen in all slots, and leaves the stacks beside it. */
  void writePage(String title) throws IOException {
    FlamePage page = new FlamePage(title, ValidatorFrames::isEntry);
    for (var event : stacks.entrySet()) {
      for (var each : event.getValue().entrySet()) {
        Files.write(folder.resolve(fileName(event.getKey(), each.getKey())), each.getValue());
        page.add(
            event.getKey().title() + ", " + each.getKey(), StackTree.ofCollapsed(each.getValue()));
      }
    }
    Files.writeString(folder.resolve(cell.fileName() + ".html"), page.html());
  }
}
