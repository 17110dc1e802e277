// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import static io.github.batchvalidator.audit.report.Messages.plural;

import io.github.batchvalidator.audit.compare.CompareReport;
import io.github.batchvalidator.audit.compare.CopyPart;
import io.github.batchvalidator.audit.compare.Difference;
import io.github.batchvalidator.audit.compare.PartitionComparison;
import io.github.batchvalidator.audit.print.TextReport.Detail;
import io.github.batchvalidator.audit.report.CompareReason;
import io.github.batchvalidator.audit.report.FileFault;
import io.github.batchvalidator.audit.report.Messages;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A report of a comparison for people: the verdict first, then the partitions with differences,
 * then what was compared. Errors are not printed: programs print them on stderr.
 */
public class CompareText implements CompareReport {
  /** The maximum number of differences of a partition, unless all are wanted. */
  private static final int MAX_LISTED = 20;

  /** The number of ranges that a closer look makes of one. */
  private static final int FINE_RANGE = 64;

  private final Lines lines;
  private final Style style;
  private final Detail detail;
  private final String command;
  private final List<PartitionComparison> shown = new ArrayList<>();
  private final Set<CompareReason> reasons = EnumSet.noneOf(CompareReason.class);
  private long partial;

  /**
   * Creates a report.
   *
   * @param out receives the text
   * @param style colors or none
   * @param detail how much to print
   * @param command starts {@code ./check}; the report says it where it advises {@code --explain}
   */
  public CompareText(PrintWriter out, Style style, Detail detail, String command) {
    lines = new Lines(out);
    this.style = style;
    this.detail = detail;
    this.command = command;
  }

  @Override
  public void partition(PartitionComparison result) {
    partial += result.partialRecords() > 0 ? 1 : 0;
    if (result.faults() > 0 || detail == Detail.VERBOSE || isSingle(result)) {
      shown.add(result);
    }
  }

  /** Returns true if something has to be said about a partition without differences. */
  private boolean isSingle(PartitionComparison result) {
    return detail == Detail.NORMAL
        && (!result.differences().isEmpty()
            || result.incomparableBatches() + result.uncomparedBatches() > 0
            || result.endOffset() < 0);
  }

  @Override
  public void single(String partition, String copy) {
    // The summary names them.
  }

  @Override
  public void error(String file, String message) {
    // Printed on stderr.
  }

  @Override
  public void summary(Summary run) {
    if (run.differences() > 0 || detail != Detail.QUIET) {
      lines.line(verdict(run));
    }
    for (PartitionComparison result : shown) {
      lines.gap();
      print(result);
    }
    if (detail != Detail.QUIET) {
      lines.gap();
      printSums(run);
    }
    reasons.forEach(reason -> lines.line(command + " --explain " + reason));
    lines.flush();
  }

  private String verdict(Summary run) {
    String compared = plural(run.partitions(), "partition");
    if (run.differences() == 0) {
      boolean isNothing = run.partitions() == 0;
      String equal = isNothing ? "nothing to compare" : style.good("equal") + ": " + compared;
      return run.errors() == 0 ? equal : equal + ", " + style.odd(errors(run));
    }
    String bad = style.bad(plural(run.differences(), "difference"));
    String text = bad + " in " + run.differing() + " of " + compared;
    return run.errors() == 0 ? text : text + ", " + style.odd(errors(run));
  }

  private static String errors(Summary run) {
    return plural(run.errors(), "file") + " not read to the end";
  }

  private void print(PartitionComparison result) {
    String name = "partition " + Messages.printable(result.partition()) + ": ";
    boolean isEqual = result.faults() == 0;
    String bad = plural(result.faults(), "difference");
    boolean isUnread = result.firstOffset() < 0 && result.rangeSize() == 0;
    boolean isUnknown = result.batches() == 0 && (isUnread || result.uncomparedBatches() > 0);
    String good = isUnknown ? style.odd("not compared") : style.good("equal");
    lines.line(name + (isEqual ? good : style.bad(bad)));
    if (isEqual || detail != Detail.QUIET) {
      printBounds(result);
    }
    int listed = 0;
    for (Difference each : result.differences()) {
      if (each.committed() && (detail == Detail.VERBOSE || listed < MAX_LISTED)) {
        print(each, result);
        listed++;
      }
    }
    printCloserLook(result);
    if (listed < result.faults()) {
      lines.wrapped(1, plural(result.faults() - listed, "more difference") + " not listed");
    }
    if (detail != Detail.QUIET) {
      result.differences().stream()
          .filter(each -> !each.committed())
          .forEach(this::printUncommitted);
      printUnknown(result);
    }
  }

  private void printBounds(PartitionComparison result) {
    if (result.firstOffset() < 0) {
      return;
    }
    long last = result.endOffset() - 1;
    boolean isEndKnown = result.endOffset() >= 0;
    boolean isEmpty = isEndKnown && last < result.firstOffset();
    String offsets =
        isEndKnown
            ? Wording.offsets(result.firstOffset(), last)
            : "offsets from " + result.firstOffset();
    String text =
        isEmpty ? "no offsets that all copies must have" : offsets + " of " + copies(result);
    lines.wrapped(1, text);
    if (result.rangeSize() > 0) {
      lines.wrapped(2, "digests, with a hash for each " + result.rangeSize() + " offsets");
      return;
    }
    lines.wrapped(2, "from " + result.firstBound());
    String end = isEndKnown ? result.endBound() : "an unknown end: all copies end in damage";
    lines.wrapped(2, "to " + end);
  }

  private static String copies(PartitionComparison result) {
    return result.copies().size() + " copies" + (result.compacted() ? ", compacted" : "");
  }

  private void print(Difference difference, PartitionComparison result) {
    reasons.add(difference.reason());
    lines.line("  " + style.bad("DIFFERENCE") + " " + difference.reason());
    String offsets =
        difference.firstOffset() < 0
            ? ""
            : Wording.offsets(difference.firstOffset(), difference.lastOffset()) + ": ";
    lines.wrapped(2, offsets + difference.message());
    boolean hasEpochs =
        difference.reason() == CompareReason.COPY_DIVERGED
            || difference.reason() == CompareReason.COPY_LEADER_EPOCH_DIFFERS;
    for (CopyPart part : difference.parts()) {
      lines.wrapped(3, text(part, result.copies(), hasEpochs));
    }
  }

  private static String text(CopyPart part, List<String> copies, boolean hasEpochs) {
    String place = part.file().isEmpty() ? copies.get(part.copy()) : part.file();
    StringBuilder text = new StringBuilder(place);
    if (part.position() >= 0) {
      text.append(", byte ").append(part.position());
    }
    text.append(": ").append(state(part));
    if (hasEpochs && part.leaderEpoch() >= 0) {
      text.append(", leader epoch ").append(part.leaderEpoch());
    }
    if (part.checkpointEpoch() >= 0) {
      text.append(" (its checkpoint has ").append(part.checkpointEpoch()).append(')');
    }
    FileFault fault = part.fault();
    if (fault != null) {
      text.append(", ").append(fault.fault().reason());
      text.append(": ").append(fault.fault().message());
    }
    return text.toString();
  }

  private static String state(CopyPart part) {
    return switch (part.state()) {
      case SOUND -> part.content() == 1 ? "sound" : "sound, content " + part.content();
      case DAMAGED -> "damaged";
      case MISSING -> "missing";
      case MISPLACED -> "another base offset";
      case UNKNOWN -> "not compared";
    };
  }

  /** Prints which command narrows the first range that differs, on each machine. */
  private void printCloserLook(PartitionComparison result) {
    for (Difference each : result.differences()) {
      if (each.reason() == CompareReason.COPY_RANGE_DIFFERS
          && result.rangeSize() >= FINE_RANGE * 16) {
        String offsets = each.firstOffset() + "-" + each.lastOffset();
        lines.wrapped(1, "to look closer, on each machine:");
        lines.wrapped(
            2,
            String.join(
                " ",
                command + " digest DIR/" + result.partition(),
                "--offsets " + offsets,
                "--range " + result.rangeSize() / FINE_RANGE,
                "--into FILE"));
        return;
      }
    }
  }

  private void printUncommitted(Difference difference) {
    String offsets = Wording.offsets(difference.firstOffset(), difference.lastOffset());
    lines.wrapped(1, "not committed, " + offsets + ": " + difference.message());
  }

  private void printUnknown(PartitionComparison result) {
    if (result.partialRecords() > 0) {
      String records = plural(result.partialRecords(), "record");
      lines.wrapped(
          1, records + " not in all copies; compaction may have removed them, or they are lost");
    }
    if (result.incomparableBatches() > 0) {
      String batches = plural(result.incomparableBatches(), "batch");
      lines.wrapped(
          1, batches + " not compared: the bytes differ, and only records of magic 2 are compared");
    }
    if (result.uncomparedBatches() > 0) {
      String batches = plural(result.uncomparedBatches(), "batch");
      String why =
          result.rangeSize() > 0
              ? "not all digests have their ranges completely"
              : "a file was deleted or could not be read";
      lines.wrapped(1, batches + " not compared: " + why);
    }
  }

  private void printSums(Summary run) {
    List<String> singles = run.singles();
    if (!singles.isEmpty()) {
      String more = singles.size() == 1 ? "" : " and " + (singles.size() - 1) + " more";
      lines.wrapped(0, "only one copy, not compared: " + singles.get(0) + more);
    }
    if (partial > 0) {
      lines.wrapped(
          0, plural(partial, "compacted partition") + " with records that not all copies have");
    }
    double seconds = run.nanos() / 1e9;
    String rate = Sizes.bytes(seconds == 0 ? 0 : (long) (run.bytes() / seconds)) + "/s";
    lines.line(
        plural(run.batches(), "batch")
            + ", "
            + Sizes.bytes(run.bytes())
            + " of all copies in "
            + String.format(Locale.ROOT, "%.2f s, ", seconds)
            + rate);
  }
}
