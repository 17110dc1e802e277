// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.batchvalidator.audit.compare.CompareReport;
import io.github.batchvalidator.audit.compare.CopyPart;
import io.github.batchvalidator.audit.compare.Difference;
import io.github.batchvalidator.audit.compare.PartitionComparison;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * A report of a comparison in JSON Lines format. A {@code comparison} follows the differences of
 * its partition.
 */
public final class CompareJson implements CompareReport {
  private final PrintWriter out;
  private final JsonLines lines;
  private final JsonGenerator json;

  public CompareJson(PrintWriter out) {
    this.out = out;
    lines = new JsonLines(out);
    json = lines.json();
  }

  @Override
  public void partition(PartitionComparison result) {
    result.differences().forEach(each -> difference(result, each));
    lines.line(
        "comparison",
        () -> {
          json.writeStringField("partition", result.partition());
          json.writeArrayFieldStart("copies");
          for (String copy : result.copies()) {
            json.writeString(copy);
          }
          json.writeEndArray();
          lines.numberOrNull("firstOffset", result.firstOffset(), result.firstOffset() < 0);
          lines.numberOrNull("endOffset", result.endOffset(), result.endOffset() < 0);
          json.writeStringField("firstBound", result.firstBound());
          json.writeStringField("endBound", result.endBound());
          json.writeBooleanField("compacted", result.compacted());
          lines.numberOrNull("rangeSize", result.rangeSize(), result.rangeSize() == 0);
          json.writeNumberField("batches", result.batches());
          json.writeNumberField("bytes", result.bytes());
          json.writeNumberField("partialRecords", result.partialRecords());
          json.writeNumberField("incomparableBatches", result.incomparableBatches());
          json.writeNumberField("uncomparedBatches", result.uncomparedBatches());
          json.writeNumberField("differences", result.faults());
          json.writeNumberField("droppedDifferences", result.droppedDifferences());
        });
  }

  private void difference(PartitionComparison result, Difference difference) {
    lines.line(
        "difference",
        () -> {
          json.writeStringField("partition", result.partition());
          json.writeStringField("reason", difference.reason().name());
          json.writeStringField("message", difference.message());
          json.writeStringField("page", Fault.page(difference.reason().name()));
          boolean hasOffsets = difference.firstOffset() >= 0;
          lines.numberOrNull("firstOffset", difference.firstOffset(), !hasOffsets);
          lines.numberOrNull("lastOffset", difference.lastOffset(), !hasOffsets);
          json.writeNumberField("batches", difference.batches());
          json.writeBooleanField("committed", difference.committed());
          json.writeArrayFieldStart("parts");
          for (CopyPart part : difference.parts()) {
            part(part, result.copies());
          }
          json.writeEndArray();
        });
  }

  private void part(CopyPart part, List<String> copies) throws IOException {
    json.writeStartObject();
    json.writeStringField("copy", copies.get(part.copy()));
    json.writeStringField("state", part.state().name().toLowerCase(Locale.ROOT));
    lines.numberOrNull("content", part.content(), part.content() == 0);
    json.writeStringField("file", part.file().isEmpty() ? null : part.file());
    lines.numberOrNull("position", part.position(), part.position() < 0);
    lines.numberOrNull("leaderEpoch", part.leaderEpoch(), part.leaderEpoch() < 0);
    lines.numberOrNull("checkpointEpoch", part.checkpointEpoch(), part.checkpointEpoch() < 0);
    FileFault fault = part.fault();
    json.writeStringField("fault", fault == null ? null : fault.fault().reason());
    json.writeStringField("faultMessage", fault == null ? null : fault.fault().message());
    json.writeEndObject();
  }

  @Override
  public void single(String partition, String copy) {
    // The summary counts them.
  }

  @Override
  public void error(String file, String message) {
    lines.line(
        "error",
        () -> {
          json.writeStringField("file", file);
          json.writeStringField("message", message);
        });
  }

  @Override
  public void summary(Summary run) {
    lines.line(
        "compareSummary",
        () -> {
          json.writeNumberField("partitions", run.partitions());
          json.writeNumberField("differing", run.differing());
          json.writeNumberField("singles", run.singles().size());
          json.writeNumberField("differences", run.differences());
          json.writeNumberField("batches", run.batches());
          json.writeNumberField("bytes", run.bytes());
          json.writeNumberField("errors", run.errors());
          json.writeNumberField("seconds", JsonLines.thousandths(run.nanos() / 1e9));
        });
    out.flush();
  }
}
