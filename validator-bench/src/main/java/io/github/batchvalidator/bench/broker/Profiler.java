// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.bench.report.StackTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** async-profiler in a running broker. */
final class Profiler {
  /** What is counted. */
  enum Event {
    /** Timers of threads: they need no right that a container may not have. */
    CPU("CPU", "ctimer,interval=1ms"),

    /** Bytes, by one stack in every so many. */
    ALLOCATED("allocation", "alloc,alloc=16k");

    private final String title;
    private final String words;

    Event(String title, String words) {
      this.title = title;
      this.words = words;
    }

    /** Returns what it is about, to be read. */
    String title() {
      return title;
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
   * Stops, leaves the stacks that were seen in a file and returns them, as {@link
   * StackTree#ofCollapsed} reads them: each with its nanoseconds, or bytes.
   *
   * @param stacks the file
   */
  List<String> stop(Path stacks) throws IOException {
    command("stop,collapsed,total,file=" + stacks);
    return Files.readAllLines(stacks);
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
