// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import static io.github.batchvalidator.audit.report.Messages.plural;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import io.github.batchvalidator.audit.report.RepairSummary.Problem;

/** The text about a repaired partition. */
final class RepairText {
  private RepairText() {}

  /** Prints what was written, or why nothing was. */
  static void print(RepairSummary repaired, Lines lines, Style style) {
    boolean isDone = !repaired.target().isEmpty();
    lines.gap();
    lines.line(
        isDone
            ? style.good("repaired ") + Messages.printable(repaired.target())
            : style.bad("not repaired") + ", nothing was written");
    if (isDone) {
      printLog(repaired, lines);
    }
    repaired.problems().forEach(problem -> lines.wrapped(1, text(problem)));
    if (repaired.moreProblems() > 0) {
      lines.wrapped(1, plural(repaired.moreProblems(), "more problem") + " not listed");
    }
    repaired.notes().forEach(note -> lines.wrapped(1, Messages.printable(note)));
    printAdvice(repaired, lines);
    if (!repaired.checkpoints().isEmpty()) {
      lines.wrapped(1, "entries for the checkpoint files of the log directory:");
      repaired.checkpoints().forEach(entry -> lines.line("    " + Messages.printable(entry)));
    }
  }

  private static void printLog(RepairSummary repaired, Lines lines) {
    String offsets =
        repaired.batches() == 0
            ? "no batches"
            : Wording.offsets(repaired.firstOffset(), repaired.lastOffset());
    lines.wrapped(
        1,
        String.join(
            ", ",
            offsets + " in " + plural(repaired.segments(), "segment"),
            plural(repaired.batches(), "batch"),
            repaired.bytes() + " bytes" + (repaired.compacted() ? ", compacted" : "")));
    for (RepairSummary.Source source : repaired.sources()) {
      String taken = plural(source.batches(), "batch") + ", " + source.bytes() + " bytes";
      lines.wrapped(1, taken + " of " + Messages.printable(source.name()));
    }
  }

  private static String text(Problem problem) {
    boolean isEnd = problem.lastOffset() == RepairSummary.END;
    String offsets =
        isEnd
            ? "all from offset " + problem.firstOffset()
            : Wording.offsets(problem.firstOffset(), problem.lastOffset());
    String what =
        switch (problem.kind()) {
          case MISSING -> "lost " + offsets + ": ";
          case DIFFERENT -> "different " + offsets + ": ";
          case COMPACTION, MARKER -> "";
        };
    return what + Messages.printable(problem.message());
  }

  private static void printAdvice(RepairSummary repaired, Lines lines) {
    if (isOpen(repaired, Kind.MISSING)) {
      lines.wrapped(1, "--lose-records writes the partition without them");
    }
    if (isOpen(repaired, Kind.MARKER)) {
      lines.wrapped(1, "--lose-markers writes the partition without its markers");
    }
    if (isOpen(repaired, Kind.DIFFERENT)) {
      lines.wrapped(1, "--prefer takes the batches of one copy where copies differ");
    }
  }

  private static boolean isOpen(RepairSummary repaired, Kind kind) {
    return repaired.problems().stream()
        .anyMatch(problem -> problem.kind() == kind && !problem.accepted());
  }
}
