// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.batchvalidator.audit.report.CommittedOffsets;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.LostMarker;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Payload;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredRecord;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A report in JSON Lines format.
 *
 * <p>Objects are written as soon as they are known. An object of type {@code summary} ends the
 * report. A field that does not apply is null or left out.
 */
public final class JsonReport implements Report {
  private final PrintWriter out;
  private final JsonLines lines;
  private final JsonGenerator json;
  private NextSteps steps = new NextSteps(() -> null);

  /**
   * Creates a report.
   *
   * @param out receives the lines
   */
  public JsonReport(PrintWriter out) {
    this.out = out;
    lines = new JsonLines(out);
    json = lines.json();
  }

  /** Names groups in the commands after a fault. */
  public JsonReport groups(Supplier<@Nullable CommittedOffsets> offsets) {
    steps = new NextSteps(offsets);
    return this;
  }

  @Override
  public void fault(String file, Fault fault) {
    fault(file, fault, null);
  }

  /**
   * Reports a fault or finding.
   *
   * @param readFrom where the bytes of the file came from, or null to leave that out
   */
  public void fault(String file, Fault fault, @Nullable String readFrom) {
    line(
        fault.finding() ? "finding" : "fault",
        () -> {
          json.writeStringField("file", file);
          json.writeNumberField("position", fault.position());
          numberOrNull("offset", fault.offset(), fault.offset() == Fault.UNKNOWN);
          json.writeStringField("reason", fault.reason());
          json.writeStringField("message", fault.message());
          json.writeStringField("page", fault.page());
          if (fault.at() != Fault.UNKNOWN) {
            json.writeNumberField("at", fault.at());
          }
          if (fault.recordIndex() != Fault.UNKNOWN) {
            json.writeNumberField("recordIndex", fault.recordIndex());
          }
          if (fault.failedRecords() > 0) {
            json.writeNumberField("failedRecords", fault.failedRecords());
          }
          if (fault.resumeAt() != Fault.UNKNOWN) {
            json.writeNumberField("resumeAt", fault.resumeAt());
          }
          if (fault.skippedBytes() > 0) {
            json.writeNumberField("skippedBytes", fault.skippedBytes());
          }
          next(file, fault);
          StoredBatch batch = fault.batch();
          if (batch != null) {
            json.writeBooleanField("headerVerified", fault.isHeaderVerified());
            header(batch);
          }
          if (readFrom != null) {
            json.writeStringField("readFrom", readFrom);
          }
        });
  }

  /** Writes where a consumer can read on, and the commands that follow. */
  private void next(String file, Fault fault) throws IOException {
    if (fault.readableFrom() != Fault.UNKNOWN) {
      json.writeNumberField("nextOffset", fault.readableFrom());
    }
    List<String> commands = steps.of(file, fault);
    if (!commands.isEmpty()) {
      strings("commands", commands);
    }
  }

  /** Writes the offsets, times and producer of a batch, but not its base offset. */
  private void header(StoredBatch batch) throws IOException {
    json.writeNumberField("lastOffset", batch.lastOffset());
    json.writeNumberField("recordCount", batch.recordCount());
    numberOrNull("baseTimestamp", batch.baseTimestamp(), batch.baseTimestamp() < 0);
    numberOrNull("maxTimestamp", batch.maxTimestamp(), batch.maxTimestamp() < 0);
    numberOrNull("producerId", batch.producerId(), batch.producerId() < 0);
    numberOrNull("producerEpoch", batch.producerEpoch(), batch.producerId() < 0);
  }

  @Override
  public void batch(String file, StoredBatch batch) {
    line(
        "batch",
        () -> {
          json.writeStringField("file", file);
          json.writeNumberField("position", batch.position());
          json.writeNumberField("bytes", batch.bytes());
          json.writeNumberField("magic", batch.magic());
          json.writeStringField("codec", Wording.name(batch.codec()));
          json.writeNumberField("offset", batch.baseOffset());
          header(batch);
          numberOrNull("baseSequence", batch.baseSequence(), batch.baseSequence() < 0);
          numberOrNull("leaderEpoch", batch.leaderEpoch(), batch.leaderEpoch() < 0);
          json.writeBooleanField("transactional", batch.transactional());
          StoredBatch.Control control = batch.control();
          json.writeStringField("control", control == null ? null : Wording.name(control));
          if (control != null && control.endsTransaction()) {
            json.writeNumberField("coordinatorEpoch", control.coordinatorEpoch());
          }
        });
  }

  @Override
  public void record(String file, StoredRecord next) {
    line(
        "record",
        () -> {
          json.writeStringField("file", file);
          json.writeNumberField("position", next.batchPosition());
          json.writeNumberField("offset", next.offset());
          numberOrNull("timestamp", next.timestamp(), next.timestamp() < 0);
          numberOrNull("keySize", next.keySize(), next.keySize() < 0);
          numberOrNull("valueSize", next.valueSize(), next.valueSize() < 0);
          json.writeNumberField("headerCount", next.headerCount());
          json.writeArrayFieldStart("headerKeys");
          for (String key : next.headerKeys()) {
            json.writeString(key);
          }
          json.writeEndArray();
          payload("key", next.key());
          payload("value", next.value());
        });
  }

  private void payload(String field, @Nullable Payload payload) throws IOException {
    if (payload != null) {
      json.writeStringField(field + "Hex", payload.hex(0, payload.size(), ""));
      json.writeStringField(field + "Text", payload.text(0, payload.size()));
    }
  }

  @Override
  public void error(String file, String message) {
    line(
        "error",
        () -> {
          json.writeStringField("file", file);
          json.writeStringField("message", message);
        });
  }

  @Override
  public void file(FileSummary file) {
    line(
        "file",
        () -> {
          json.writeStringField("file", file.name());
          counts(file.tally(), file.bytes());
          boolean isEmpty = file.tally().batches() == 0;
          numberOrNull("firstOffset", file.firstOffset(), isEmpty);
          numberOrNull("lastOffset", file.lastOffset(), isEmpty);
          json.writeBooleanField("complete", file.complete());
        });
  }

  @Override
  public void partition(PartitionSummary partition) {
    line(
        "partition",
        () -> {
          json.writeStringField("partition", partition.name());
          json.writeStringField("topic", partition.topic());
          json.writeNumberField("segments", partition.segments());
          boolean isEmpty = partition.firstOffset() < 0;
          numberOrNull("firstOffset", partition.firstOffset(), isEmpty);
          numberOrNull("lastOffset", partition.lastOffset(), isEmpty);
          json.writeBooleanField("compacted", partition.compacted());
          json.writeNumberField("producers", partition.producers());
          json.writeNumberField("forgottenProducers", partition.forgottenProducers());
          json.writeNumberField("committedTransactions", partition.committedTransactions());
          json.writeNumberField("abortedTransactions", partition.abortedTransactions());
          json.writeNumberField("openTransactions", partition.openTransactions());
          numberOrNull(
              "firstOpenOffset", partition.firstOpenOffset(), partition.openTransactions() == 0);
          json.writeNumberField("emptyMarkers", partition.emptyMarkers());
          json.writeNumberField("faults", partition.faults());
          json.writeNumberField("droppedFaults", partition.droppedFaults());
          json.writeNumberField("segmentFaults", partition.segmentFaults());
          json.writeNumberField("unreadFiles", partition.unreadFiles());
        });
  }

  @Override
  public void salvage(SalvageSummary salvaged) {
    line(
        "salvage",
        () -> {
          json.writeStringField("file", salvaged.file());
          json.writeStringField("target", salvaged.target().isEmpty() ? null : salvaged.target());
          json.writeNumberField("keptBatches", salvaged.keptBatches());
          json.writeNumberField("keptBytes", salvaged.keptBytes());
          json.writeNumberField("lostBatches", salvaged.lostBatches());
          json.writeNumberField("lostBytes", salvaged.lostBytes());
          json.writeArrayFieldStart("lost");
          for (SalvageSummary.Gap gap : salvaged.lost()) {
            gap(gap);
          }
          json.writeEndArray();
          json.writeBooleanField("held", salvaged.isHeld());
          json.writeArrayFieldStart("lostMarkers");
          for (LostMarker marker : salvaged.markers()) {
            marker(marker);
          }
          json.writeEndArray();
        });
  }

  @Override
  public void repair(RepairSummary repaired) {
    line(
        "repair",
        () -> {
          json.writeStringField("target", repaired.target().isEmpty() ? null : repaired.target());
          json.writeArrayFieldStart("sources");
          for (RepairSummary.Source source : repaired.sources()) {
            json.writeStartObject();
            json.writeStringField("copy", source.name());
            json.writeNumberField("faults", source.faults());
            json.writeNumberField("batches", source.batches());
            json.writeNumberField("bytes", source.bytes());
            json.writeEndObject();
          }
          json.writeEndArray();
          boolean isEmpty = repaired.lastOffset() < 0;
          numberOrNull("firstOffset", repaired.firstOffset(), isEmpty);
          numberOrNull("lastOffset", repaired.lastOffset(), isEmpty);
          json.writeNumberField("segments", repaired.segments());
          json.writeNumberField("batches", repaired.batches());
          json.writeNumberField("bytes", repaired.bytes());
          json.writeBooleanField("compacted", repaired.compacted());
          json.writeArrayFieldStart("problems");
          for (RepairSummary.Problem problem : repaired.problems()) {
            problem(problem);
          }
          json.writeEndArray();
          json.writeNumberField("moreProblems", repaired.moreProblems());
          strings("notes", repaired.notes());
          strings("checkpoints", repaired.checkpoints());
        });
  }

  private void problem(RepairSummary.Problem problem) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", problem.kind().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("firstOffset", problem.firstOffset());
    numberOrNull("lastOffset", problem.lastOffset(), problem.lastOffset() == RepairSummary.END);
    json.writeStringField("message", problem.message());
    json.writeBooleanField("accepted", problem.accepted());
    json.writeEndObject();
  }

  private void strings(String name, List<String> values) throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }

  private void gap(SalvageSummary.Gap gap) throws IOException {
    List<SalvageSummary.Offsets> offsets = gap.offsets();
    boolean isEmpty = offsets.isEmpty();
    long last = isEmpty ? 0 : offsets.get(offsets.size() - 1).last();
    json.writeStartObject();
    json.writeNumberField("from", gap.from());
    json.writeNumberField("to", gap.to());
    numberOrNull("firstOffset", isEmpty ? 0 : offsets.get(0).first(), isEmpty);
    numberOrNull("lastOffset", last, isEmpty || last == SalvageSummary.END);
    json.writeArrayFieldStart("offsets");
    for (SalvageSummary.Offsets range : offsets) {
      json.writeStartObject();
      json.writeNumberField("first", range.first());
      numberOrNull("last", range.last(), range.last() == SalvageSummary.END);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void marker(LostMarker marker) throws IOException {
    json.writeStartObject();
    json.writeNumberField("producerId", marker.producerId());
    json.writeNumberField("firstOffset", marker.firstOffset());
    numberOrNull("lastOffset", marker.lastOffset(), marker.lastOffset() == SalvageSummary.END);
    json.writeStringField("outcome", marker.outcome().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("firstRecordOffset", marker.firstRecord());
    json.writeNumberField("lastRecordOffset", marker.lastRecord());
    json.writeNumberField("records", marker.records());
    json.writeEndObject();
  }

  @Override
  public void summary(RunSummary run) {
    line(
        "summary",
        () -> {
          json.writeNumberField("files", run.files());
          counts(run.tally(), run.fileBytes());
          json.writeNumberField("errors", run.errors());
          json.writeNumberField("vanished", run.vanished());
          json.writeBooleanField("sample", run.sample());
          json.writeNumberField("seconds", thousandths(run.seconds()));
          json.writeNumberField(
              "plainMegabytesPerSecond", thousandths(run.plainMegabytesPerSecond()));
        });
    out.flush();
  }

  private void counts(Tally tally, long fileBytes) throws IOException {
    json.writeNumberField("batches", tally.batches());
    json.writeNumberField("records", tally.records());
    json.writeNumberField("controlBatches", tally.controlBatches());
    json.writeNumberField("plainBytes", tally.plainBytes());
    json.writeNumberField("storedBytes", tally.storedBytes());
    json.writeNumberField("fileBytes", fileBytes);
    json.writeNumberField("faults", tally.faults());
    json.writeNumberField("findings", tally.findings());
    json.writeObjectFieldStart("codecs");
    for (Codec codec : Codec.values()) {
      json.writeNumberField(Wording.name(codec), tally.batches(codec));
    }
    json.writeEndObject();
  }

  private void numberOrNull(String name, long value, boolean isNull) throws IOException {
    lines.numberOrNull(name, value, isNull);
  }

  private static double thousandths(double value) {
    return JsonLines.thousandths(value);
  }

  private void line(String type, JsonLines.Members members) {
    lines.line(type, members);
  }
}
