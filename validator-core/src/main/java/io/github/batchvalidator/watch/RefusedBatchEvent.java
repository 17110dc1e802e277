// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The event of a refused batch. Must not be loaded if {@code jdk.jfr} is missing. */
@Name(RefusedBatchEvent.NAME)
@Label("Refused Batch")
@Category("Batch Validator")
@Description("A batch of records that was not accepted")
@StackTrace(false)
final class RefusedBatchEvent extends Event {
  static final String NAME = "io.github.batchvalidator.RefusedBatch";

  /** Used to ask whether events are recorded without creating one per refused batch. */
  private static final RefusedBatchEvent NEVER_WRITTEN = new RefusedBatchEvent();

  @Label("Where")
  @Description("Topic and partition, or another name that the host gives the destination")
  @Nullable String where;

  @Label("Section")
  @Description("Section of the policy file, or default")
  @Nullable String section;

  @Label("Reason")
  @Description("Id of the rule, as in docs/rules.md")
  @Nullable String reason;

  @Label("Sentence")
  @Nullable String sentence;

  @Label("Codec")
  @Description("Null if the header was refused before the codec was known")
  @Nullable String codec;

  @Label("Magic")
  int magic;

  @Label("Batch Size")
  @DataAmount
  int batchBytes;

  @Label("Plain Size")
  @Description("Plain bytes that were read before the refusal")
  @DataAmount
  long plainBytes;

  @Label("Records")
  @Description("Records that were read before the refusal")
  int records;

  @Label("Failing Records")
  @Description("Records that failed")
  int failingRecords;

  @Label("Record Index")
  @Description("The record at fault, or -1")
  int recordIndex;

  @Label("Position")
  @Description("Bytes from the start of the batch")
  int position;

  @Label("Plain Position")
  @Description("Bytes from the start of the plain records, or -1")
  long plainPosition;

  @Label("Findings")
  @Description("Findings beyond level KAFKA, with their sentences")
  @Nullable String findings;

  @Label("Suppressed")
  @Description("Events that were dropped since the previous event, because there were too many")
  long suppressed;

  private RefusedBatchEvent() {}

  /** Returns whether a recording includes this event. Never allocates. */
  static boolean isRecorded() {
    return NEVER_WRITTEN.isEnabled();
  }

  /** Writes the event of a refused batch. Allocates. */
  static void write(Reason why, Verdict verdict, @Nullable Object where, EventRate rate) {
    RefusedBatchEvent event = new RefusedBatchEvent();
    event.where = where == null ? null : where.toString();
    event.section = verdict.section();
    event.reason = why.name();
    event.sentence = verdict.describe();
    event.codec = verdict.codec() == null ? null : verdict.codec().name();
    event.magic = verdict.magic();
    event.batchBytes = verdict.batchBytes();
    event.plainBytes = verdict.plainBytes();
    event.records = verdict.recordCount();
    event.failingRecords = verdict.failureTotal();
    event.recordIndex = verdict.recordIndex();
    event.position = verdict.position();
    event.plainPosition = verdict.plainPosition();
    event.findings = verdict.findings().describe();
    event.suppressed = rate.takeSuppressed();
    event.commit();
  }
}
