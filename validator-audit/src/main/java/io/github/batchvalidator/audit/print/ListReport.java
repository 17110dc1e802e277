// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import static io.github.batchvalidator.audit.report.Messages.plural;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Payload;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredRecord;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A report for people that lists batches and records as they are read, each fault where it is, and
 * the verdict at the end.
 */
public final class ListReport implements Report {
  private static final int BYTES_PER_ROW = 16;

  private final Lines lines;
  private final Style style;
  private final TextReport sums;
  private String current = "";

  public ListReport(PrintWriter out, Style style, TextReport sums) {
    lines = new Lines(out);
    this.style = style;
    this.sums = sums;
  }

  /** Prints the name of a file before its first entry. */
  private void in(String file) {
    if (!file.equals(current)) {
      if (!current.isEmpty()) {
        lines.line("");
      }
      current = file;
      lines.line(style.strong(Messages.printable(file)));
    }
  }

  @Override
  public void batch(String file, StoredBatch batch) {
    in(file);
    lines.wrapped(
        1,
        String.join(
            ", ",
            Wording.offsets(batch.baseOffset(), batch.lastOffset()),
            plural(batch.recordCount(), "record"),
            Wording.name(batch.codec()),
            batch.bytes() + " bytes at byte " + batch.position()));
    String details = details(batch);
    if (!details.isEmpty()) {
      lines.wrapped(2, details);
    }
  }

  private static String details(StoredBatch batch) {
    StringBuilder text = new StringBuilder();
    if (batch.maxTimestamp() >= 0) {
      add(text, Wording.times(batch.baseTimestamp(), batch.maxTimestamp()));
    }
    if (batch.magic() < 2) {
      add(text, "magic " + batch.magic());
    }
    if (batch.leaderEpoch() >= 0) {
      add(text, "leader epoch " + batch.leaderEpoch());
    }
    if (batch.producerId() >= 0) {
      add(text, "producer " + batch.producerId() + " epoch " + batch.producerEpoch());
      if (batch.hasSequence()) {
        text.append(" sequence ").append(batch.baseSequence());
        text.append(batch.recordCount() == 1 ? "" : " to " + batch.lastSequence());
      }
    }
    if (batch.transactional()) {
      add(text, "transactional");
    }
    StoredBatch.Control control = batch.control();
    if (control != null) {
      add(text, Wording.name(control));
      if (control.endsTransaction()) {
        add(text, "coordinator epoch " + control.coordinatorEpoch());
      }
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String next) {
    text.append(text.isEmpty() ? "" : ", ").append(next);
  }

  @Override
  public void record(String file, StoredRecord next) {
    in(file);
    StringBuilder text = new StringBuilder("record at offset ").append(next.offset());
    if (next.timestamp() >= 0) {
      add(text, Wording.time(next.timestamp()));
    }
    add(text, size("key", next.keySize()));
    add(text, size("value", next.valueSize()));
    if (next.headerCount() > 0) {
      add(text, plural(next.headerCount(), "header") + ": ");
      text.append(String.join(", ", next.headerKeys()));
      text.append(next.headerCount() > next.headerKeys().size() ? ", ..." : "");
    }
    lines.wrapped(2, text.toString());
    printPayload("key", next.key(), next.keySize());
    printPayload("value", next.value(), next.valueSize());
  }

  private static String size(String field, int size) {
    return size == StoredRecord.NULL ? "no " + field : field + " " + plural(size, "byte");
  }

  private void printPayload(String field, @Nullable Payload payload, int size) {
    if (payload == null || size == 0) {
      return;
    }
    for (int from = 0; from < payload.size(); from += BYTES_PER_ROW) {
      int to = Math.min(from + BYTES_PER_ROW, payload.size());
      lines.line(
          String.format(
              Locale.ROOT,
              "      %-5s %-47s %s",
              from == 0 ? field : "",
              payload.hex(from, to, " "),
              payload.text(from, to)));
    }
    if (size > payload.size()) {
      lines.line("            " + (size - payload.size()) + " more");
    }
  }

  @Override
  public void fault(String file, Fault fault) {
    in(file);
    lines.line("  " + FaultList.head(fault, style));
    FaultList.printPlace(lines, 2, fault);
    sums.fault(file, fault);
  }

  @Override
  public void error(String file, String message) {
    sums.error(file, message);
  }

  @Override
  public void file(FileSummary file) {
    sums.file(file);
  }

  @Override
  public void partition(PartitionSummary partition) {
    sums.partition(partition);
  }

  @Override
  public void salvage(SalvageSummary salvaged) {
    sums.salvage(salvaged);
  }

  @Override
  public void repair(RepairSummary repaired) {
    sums.repair(repaired);
  }

  @Override
  public void summary(RunSummary run) {
    if (lines.count() > 0) {
      lines.line("");
    }
    sums.summary(run);
  }
}
