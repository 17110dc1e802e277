// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import static io.github.batchvalidator.audit.report.Messages.plural;

import io.github.batchvalidator.audit.report.LostMarker;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.report.SalvageSummary.Gap;
import io.github.batchvalidator.audit.report.SalvageSummary.Offsets;
import java.util.StringJoiner;

/** The text about a salvaged segment. */
final class SalvageText {
  private SalvageText() {}

  /** Prints what was kept and what is lost. */
  static void print(SalvageSummary salvaged, Lines lines, Style style) {
    lines.gap();
    lines.line(head(salvaged, style));
    salvaged.markers().forEach(marker -> lines.wrapped(1, text(marker)));
    if (salvaged.isHeld()) {
      lines.wrapped(1, "--lose-markers writes the partition without its markers");
      lines.wrapped(1, "sound " + sizes(salvaged.keptBatches(), "batch", salvaged.keptBytes()));
    } else if (!salvaged.target().isEmpty()) {
      lines.wrapped(1, "kept " + sizes(salvaged.keptBatches(), "batch", salvaged.keptBytes()));
    }
    lines.wrapped(1, "lost " + sizes(salvaged.lostBatches(), "known batch", salvaged.lostBytes()));
    for (Gap gap : salvaged.lost()) {
      lines.wrapped(2, "bytes " + gap.from() + " to " + (gap.to() - 1) + ": " + offsets(gap));
    }
  }

  private static String head(SalvageSummary salvaged, Style style) {
    if (salvaged.isHeld()) {
      return style.bad("not salvaged ") + Messages.printable(salvaged.file());
    }
    return salvaged.target().isEmpty()
        ? "nothing to salvage of " + Messages.printable(salvaged.file())
        : "salvaged " + Messages.printable(salvaged.target());
  }

  private static String sizes(long batches, String noun, long bytes) {
    return plural(batches, noun) + ", " + bytes + " bytes";
  }

  private static String offsets(Gap gap) {
    if (gap.offsets().isEmpty()) {
      return "no offsets are missing";
    }
    StringJoiner text = new StringJoiner(", ");
    for (Offsets range : gap.offsets()) {
      text.add(
          range.last() == SalvageSummary.END
              ? "all from offset " + range.first()
              : Wording.offsets(range.first(), range.last()));
    }
    return text.toString();
  }

  /** Returns a marker and the records of its transaction. */
  private static String text(LostMarker marker) {
    boolean isEnd = marker.lastOffset() == SalvageSummary.END;
    String at =
        isEnd
            ? "offset " + marker.firstOffset() + " or later"
            : Wording.offsets(marker.firstOffset(), marker.lastOffset());
    String records =
        Wording.offsets(marker.firstRecord(), marker.lastRecord())
            + " ("
            + plural(marker.records(), "record")
            + ")";
    String producer = "producer " + marker.producerId() + ": ";
    return switch (marker.outcome()) {
      case ABORTED ->
          producer
              + "the abort marker at "
              + at
              + " is lost; "
              + records
              + " were rolled back and may become visible";
      case COMMITTED ->
          producer
              + "the commit marker at "
              + at
              + " is lost; "
              + records
              + " were committed and may become invisible";
      case UNKNOWN ->
          producer
              + "a marker at "
              + at
              + " may be lost; whether "
              + records
              + " were rolled back is unknown";
    };
  }
}
