// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import static io.github.batchvalidator.audit.report.Messages.plural;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.StoredBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The faults and findings of a run, by file and reason.
 *
 * <p>Memory is bounded: at most {@value #MAX_KEPT} faults are kept, the others are only counted.
 */
final class FaultList {
  /** The maximum number of faults in memory. */
  private static final int MAX_KEPT = 10_000;

  /** The maximum number of faults with the same reason in a file that are printed. */
  private static final int MAX_ALIKE = 10;

  private final Map<String, Map<String, Group>> files = new LinkedHashMap<>();
  private final TreeSet<String> reasons = new TreeSet<>();
  private final NameSet faultyFiles = new NameSet();
  private final boolean verbose;
  private final int maxAlike;
  private long kept;
  private long dropped;

  /** The faults with the same reason in a file. */
  private static final class Group {
    private final List<Fault> first = new ArrayList<>();
    private @Nullable Fault last;
    private long count;
    private boolean faulty;
  }

  /**
   * Creates an empty list.
   *
   * @param verbose true to print all faults with the same reason, and the commands that follow
   */
  FaultList(boolean verbose) {
    this.verbose = verbose;
    maxAlike = verbose ? MAX_KEPT : MAX_ALIKE;
  }

  /** Adds a fault of a file. */
  void add(String file, Fault fault) {
    reasons.add(fault.reason());
    if (!fault.finding()) {
      faultyFiles.add(file);
    }
    Map<String, Group> groups = files.get(file);
    if (kept == MAX_KEPT && (groups == null || !groups.containsKey(fault.reason()))) {
      dropped++;
      return;
    }
    Group group =
        files
            .computeIfAbsent(file, name -> new LinkedHashMap<>())
            .computeIfAbsent(fault.reason(), reason -> new Group());
    group.count++;
    group.faulty |= !fault.finding();
    if (group.first.size() < maxAlike && kept < MAX_KEPT) {
      group.first.add(fault);
      kept++;
    } else {
      group.last = fault;
    }
  }

  /** Returns the number of files with faults. */
  int faultyFiles() {
    return faultyFiles.size();
  }

  /** Returns the reasons of all faults and findings. */
  NavigableSet<String> reasons() {
    return reasons;
  }

  /** Prints the faults of all files: files with faults first, then files with findings only. */
  void print(Lines lines, Style style, NextSteps steps) {
    for (boolean isFaulty : new boolean[] {true, false}) {
      files.forEach(
          (file, groups) -> {
            if (hasFault(groups) == isFaulty) {
              print(file, groups, lines, style);
              if (verbose) {
                printSteps(file, groups, lines, steps);
              }
            }
          });
    }
    if (dropped > 0) {
      lines.line("");
      lines.line(style.bad("and " + dropped + " more; --json prints all of them"));
    }
  }

  private static boolean hasFault(Map<String, Group> groups) {
    return groups.values().stream().anyMatch(group -> group.faulty);
  }

  private static void print(String file, Map<String, Group> groups, Lines lines, Style style) {
    lines.gap();
    lines.line(style.strong(Messages.printable(file)));
    groups.values().forEach(group -> print(group, lines, style));
  }

  /** Prints the commands that follow from the first fault of each reason. */
  private static void printSteps(
      String file, Map<String, Group> groups, Lines lines, NextSteps steps) {
    Set<String> commands = new LinkedHashSet<>();
    for (Group group : groups.values()) {
      group.first.stream().limit(1).forEach(fault -> commands.addAll(steps.of(file, fault)));
    }
    commands.forEach(command -> lines.line("  next: " + Messages.printable(command)));
  }

  private static void print(Group group, Lines lines, Style style) {
    Fault any = group.first.isEmpty() ? group.last : group.first.get(0);
    if (any == null) {
      return;
    }
    String times = group.count == 1 ? "" : ", " + group.count + " times";
    lines.line("  " + head(any, style) + times);
    group.first.forEach(fault -> printPlace(lines, 2, fault));
    Fault last = group.last;
    if (last != null) {
      long between = group.count - group.first.size() - 1;
      if (between > 0) {
        lines.line("    ... " + between + " more; --json prints all of them");
      }
      printPlace(lines, 2, last);
    }
  }

  /** Returns the kind and the reason of a fault. */
  static String head(Fault fault, Style style) {
    return (fault.finding() ? style.odd("FOUND ") : style.bad("FAULT ")) + fault.reason();
  }

  /** Prints where a fault is and what the header of its batch says. */
  static void printPlace(Lines lines, int level, Fault fault) {
    StoredBatch batch = fault.batch();
    lines.wrapped(level, place(fault) + ": " + message(fault));
    if (batch != null) {
      String unverified = fault.isHeaderVerified() ? "" : "header (not verified): ";
      lines.wrapped(level + 1, unverified + Wording.describe(batch));
    }
  }

  private static String place(Fault fault) {
    String place = "byte " + fault.position();
    boolean isShown = fault.batch() != null && fault.isHeaderVerified();
    boolean hasOffset = !isShown && fault.offset() != Fault.UNKNOWN;
    return hasOffset ? place + ", offset " + fault.offset() : place;
  }

  private static String message(Fault fault) {
    StringBuilder text = new StringBuilder();
    if (fault.recordIndex() != Fault.UNKNOWN) {
      text.append("record ").append(fault.recordIndex()).append(": ");
    }
    text.append(fault.message());
    if (fault.at() != Fault.UNKNOWN && fault.at() != fault.position()) {
      text.append(" (at byte ").append(fault.at()).append(')');
    }
    if (fault.failedRecords() > 1) {
      String records = plural(fault.failedRecords(), "record");
      text.append(" (").append(records).append(" like this in the batch)");
    }
    return text.toString();
  }
}
