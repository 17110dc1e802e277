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

/** What is recorded of a refused batch. Not to be loaded where {@code jdk.jfr} is missing. */
@Name(RefusedBatchEvent.NAME)
@Label("Refused Batch")
@Category("Batch Validator")
@Description("A batch of records that was not accepted")
@StackTrace(false)
final class RefusedBatchEvent extends Event {
  static final String NAME = "io.github.batchvalidator.RefusedBatch";

  /** Asked instead of a new event, which would be an object per refused batch. */
  private static final RefusedBatchEvent NEVER_WRITTEN = new RefusedBatchEvent();

  @Label("Where")
  @Description("Topic and partition, or what else the host calls the place")
  @Nullable String where;

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
  @Description("What was read of it until then")
  @DataAmount
  long plainBytes;

  @Label("Records")
  @Description("How many were looked at")
  int records;

  @Label("Failing Records")
  @Description("How many failed a rule of their own")
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
  @Description("What was found beyond level KAFKA, with its sentences")
  @Nullable String findings;

  @Label("Suppressed")
  @Description("How many events were not written since the one before, because there were too many")
  long suppressed;

  private RefusedBatchEvent() {}

  /** Returns whether a recording wants this event. Never allocates. */
  static boolean isRecorded() {
    return NEVER_WRITTEN.isEnabled();
  }

  /** Writes the event of a refused batch. Allocates. */
  static void write(Reason why, Verdict verdict, @Nullable Object where, EventRate rate) {
    RefusedBatchEvent event = new RefusedBatchEvent();
    event.where = where == null ? null : where.toString();
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
