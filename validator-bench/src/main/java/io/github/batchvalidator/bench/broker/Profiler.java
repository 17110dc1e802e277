// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.batchvalidator.bench.report.LiveFigure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** async-profiler in a running broker. */
final class Profiler {
  /** What is counted. */
  enum Event {
    /** Timers of threads: they need no right that a container may not have. */
    CPU("ctimer,interval=1ms"),

    /** Bytes, by one stack in every so many. */
    ALLOCATED("alloc,alloc=16k");

    private final String words;

    Event(String words) {
      this.words = words;
    }

    /** Returns the figure that the validator's part of it becomes. */
    LiveFigure share() {
      return this == CPU ? LiveFigure.CPU_SHARE : LiveFigure.ALLOCATED_SHARE;
    }
  }

  private final Path library;
  private final BrokerProcess broker;

  Profiler(Path library, BrokerProcess broker) {
    this.library = library;
    this.broker = broker;
  }

  void start(Event event) throws IOException {
    command("start,event=" + event.words);
  }

  /**
   * Stops, and leaves a flame graph and the stacks that it shows.
   *
   * @param flames the file of the graph; that of the stacks lies beside it
   * @return the validator's share in percent
   */
  double stop(Path flames) throws IOException {
    String name = String.valueOf(flames.getFileName()).replace(".html", ".collapsed");
    Path stacks = flames.resolveSibling(name);
    command("stop,collapsed,total,file=" + stacks);
    command("dump,flamegraph,total,file=" + flames);
    return 100 * CollapsedStacks.validatorShare(Files.readAllLines(stacks));
  }

  private void command(String words) throws IOException {
    try {
      VirtualMachine jvm = VirtualMachine.attach(Long.toString(broker.pid()));
      try {
        jvm.loadAgentPath(library.toString(), words);
      } finally {
        jvm.detach();
      }
    } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
      throw new IOException("async-profiler does not take " + words, e);
    }
  }
}
