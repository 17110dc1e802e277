// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The page that says for how long the lock was held, and for how long others waited for it. */
final class LockHoldReport {
  private static final String SINGLE =
      "\nSingle rounds, in the order in which they ran by turns:\n\n";

  private static final String WAITS =
      """

      What the flight recorder tells (`jdk.JavaMonitorEnter`, threshold 0), in a window of its own behind the counted one and as long: microseconds that appends waited for the lock.
      It has the waits that parked their thread, however short, and until that ran again: what it waited for a processor is in them. It has no append that got the lock at once or while it spun;
      for how long a lock is held it has no event, so that is measured by an agent, above.

      """;

  private final Map<String, List<LockFigures>> all = new LinkedHashMap<>();
  private final StringBuilder held = new StringBuilder();
  private final StringBuilder waited = new StringBuilder();
  private final StringBuilder stamps = new StringBuilder();

  void add(String contender, int round, LockFigures figures) {
    all.computeIfAbsent(contender, it -> new ArrayList<>()).add(figures);
    held.append(figures.held().toRow(contender + ", round " + round));
    waited.append(figures.waited().toRow(contender + ", round " + round));
  }

  void addStamps(String contender, int round, String counts) {
    stamps.append("- ").append(contender).append(", round ").append(round);
    stamps.append(": ").append(counts).append('\n');
  }

  LockHoldFigures held(String contender) {
    return LockHoldFigures.median(each(contender, LockFigures::held));
  }

  LockWaitFigures waited(String contender) {
    return LockWaitFigures.median(each(contender, LockFigures::waited));
  }

  private <T> List<T> each(String contender, Function<LockFigures, T> part) {
    return Objects.requireNonNull(all.get(contender)).stream().map(part).toList();
  }

  String text(String line, int batchBytes) {
    StringBuilder text = new StringBuilder();
    text.append("Kafka ").append(line).append(", JDK ").append(System.getProperty("java.version"));
    text.append(", ").append(Runtime.getRuntime().availableProcessors()).append(" processors; ");
    text.append(LockHoldRun.PRODUCERS).append(" connections to one partition, acks=all, gzip, ");
    text.append(batchBytes).append(" bytes a batch. Microseconds that the lock was held,\n");
    text.append("and that its holder worked meanwhile.\n\n");
    text.append(LockHoldFigures.HEAD);
    all.keySet().forEach(it -> text.append(held(it).toRow(it)));
    text.append(SINGLE).append(LockHoldFigures.HEAD).append(held);
    text.append("\nOf the appends, warm-up and the window of the recorder included:\n\n");
    text.append(stamps).append(WAITS).append(LockWaitFigures.HEAD);
    all.keySet().forEach(it -> text.append(waited(it).toRow(it)));
    return text.append(SINGLE).append(LockWaitFigures.HEAD).append(waited).toString();
  }
}
