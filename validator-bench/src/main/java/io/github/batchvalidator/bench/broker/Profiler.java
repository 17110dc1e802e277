// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Runs async-profiler in a broker for a slot. It leaves the collapsed stacks and the flame graph,
 * which async-profiler writes itself. A later turn replaces the files of an earlier one.
 *
 * @param library of async-profiler
 * @param folder of the files
 */
record Profiler(Path library, Path folder) {
  /** The events that are sampled. */
  enum Event {
    /** CPU time by a timer per thread, which needs no privileges in a container. */
    CPU("ctimer,interval=1ms", LiveFigure.CPU_SHARE),

    /** Allocated bytes. */
    ALLOCATED("alloc,alloc=16k", LiveFigure.ALLOCATED_SHARE);

    private final String words;
    private final LiveFigure share;

    Event(String words, LiveFigure share) {
      this.words = words;
      this.share = share;
    }
  }

  /**
   * Profiles a broker under load.
   *
   * @param load returns when the load is done
   * @return the validator's share and, for CPU, its time per unit of work
   */
  SlotFigures slot(
      Event event, Cell cell, BrokerBuild contender, BrokerProcess broker, Callable<Produced> load)
      throws Exception {
    Path file = folder.resolve(cell.fileName() + "-" + contender + "-" + event);
    command(broker, "start,event=" + event.words);
    Produced produced = load.call();
    command(broker, "dump,collapsed,total,file=" + file + ".collapsed");
    command(broker, "stop,flamegraph,total,file=" + file + ".html");
    ValidatorShare seen =
        ValidatorShare.of(
            Files.readAllLines(file.resolveSibling(file.getFileName() + ".collapsed")));
    Map<LiveFigure, Double> figures = new EnumMap<>(LiveFigure.class);
    figures.put(event.share, 100 * seen.part());
    if (event == Event.CPU) {
      long bytes = produced.records() * cell.valueBytes();
      figures.put(LiveFigure.VALIDATOR_CPU, (double) seen.validator() / bytes); // ns per byte
    }
    return new SlotFigures(figures, Latencies.empty());
  }

  private void command(BrokerProcess broker, String words) throws IOException {
    try {
      VirtualMachine jvm = VirtualMachine.attach(Long.toString(broker.pid()));
      try {
        jvm.loadAgentPath(library.toString(), words);
      } finally {
        jvm.detach();
      }
    } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
      throw new IOException("async-profiler rejects " + words, e);
    }
  }
}
