// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.rule.Codec;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * JSON Lines: an object of type {@code fault}, {@code error} or {@code file} as soon as it is
 * known, one of type {@code summary} at the end. What does not apply is null or left out.
 */
final class JsonReport implements Report {
  private final PrintWriter out;

  JsonReport(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void fault(String file, Fault fault) {
    JsonLine line =
        new JsonLine("fault")
            .put("file", file)
            .put("position", fault.position())
            .putKnown("offset", fault.offset())
            .put("reason", fault.reason())
            .put("message", fault.message());
    if (fault.at() != Fault.UNKNOWN) {
      line.put("at", fault.at());
    }
    if (fault.recordIndex() != Fault.UNKNOWN) {
      line.put("recordIndex", fault.recordIndex());
    }
    if (fault.failedRecords() > 0) {
      line.put("failedRecords", fault.failedRecords());
    }
    out.println(line.end());
  }

  @Override
  public void error(String file, String message) {
    out.println(new JsonLine("error").put("file", file).put("message", message).end());
  }

  @Override
  public void file(FileSummary file) {
    JsonLine line = new JsonLine("file").put("file", file.name());
    counts(line, file.tally(), file.bytes());
    line.putKnown("firstOffset", file.firstOffset());
    line.putKnown("lastOffset", file.lastOffset());
    out.println(line.put("complete", file.complete()).end());
  }

  @Override
  public void summary(RunSummary run) {
    JsonLine line = new JsonLine("summary").put("files", run.files());
    counts(line, run.tally(), run.fileBytes());
    line.put("errors", run.errors()).put("sample", run.sample());
    line.putThousandths("seconds", run.seconds());
    line.putThousandths("plainMegabytesPerSecond", run.plainMegabytesPerSecond());
    out.println(line.end());
    out.flush();
  }

  private static void counts(JsonLine line, Tally tally, long fileBytes) {
    line.put("batches", tally.batches())
        .put("records", tally.records())
        .put("controlBatches", tally.controlBatches())
        .put("plainBytes", tally.plainBytes())
        .put("storedBytes", tally.storedBytes())
        .put("fileBytes", fileBytes)
        .put("faults", tally.faults())
        .open("codecs");
    for (Codec codec : Codec.values()) {
      line.put(codec.name().toLowerCase(Locale.ROOT), tally.batches(codec));
    }
    line.close();
  }
}
