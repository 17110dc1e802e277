// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares what {@code ./check} reports about a batch that a broker has stored with the model. */
final class CheckJudge {
  private static final String OF_LOG = "faults that brokers do not look for";

  /** The reasons that the header shows before a record is read. */
  private static final Set<Reason> OF_HEADER =
      EnumSet.of(Reason.BATCH_ATTRIBUTES_RESERVED, Reason.TOPIC_CODEC_NOT_ALLOWED);

  private final ModelSection section;
  private final StoredBytes.Span stored;
  private final ModelBatch batch;
  private final Expectation expected;
  private final Set<Reason> faults;
  private final Set<Reason> findings;

  /**
   * Creates a comparison.
   *
   * @param stored one batch of magic 2
   * @param faults that are reported
   * @param findings that are reported
   */
  CheckJudge(ModelSection section, byte[] stored, Set<Reason> faults, Set<Reason> findings) {
    this.section = section;
    this.stored = StoredBytes.spans(stored).get(0);
    this.faults = faults;
    this.findings = findings;
    batch = new ModelBatch(stored, 0);
    ModelStrict.Situation situation = new ModelStrict.Situation(false, true, false, 0);
    expected = Expectation.of(section, batch, true, situation, false);
  }

  Judgment judge() {
    Reason ofHeader = ofHeader();
    if (ofHeader != null) {
      return compare(OF_LOG, EnumSet.of(ofHeader), none());
    }
    List<PlainRecord> records = batch.records();
    if (records == null && batch.count() != 0) {
      return ofUnreadable();
    }
    if (!expected.exceeded.isEmpty()) {
      return ofLimit();
    }
    Set<Reason> allFaults = section.strict ? looked() : none();
    Set<Reason> allFindings = section.strict ? none() : looked();
    Reason ofRecords = records == null ? null : ofRecords(records);
    if (ofRecords != null) {
      allFaults.add(ofRecords);
      return compare(OF_LOG, allFaults, allFindings);
    }
    if (expected.isRefusedByTopic()) {
      allFaults.addAll(ofTopic());
    }
    String outcome = allFaults.isEmpty() ? allFindings.isEmpty() ? "sound" : "findings" : "faults";
    return compare(outcome, allFaults, allFindings);
  }

  /** Returns a fault of the header that brokers do not look for, the first in docs/rules.md. */
  private @Nullable Reason ofHeader() {
    if (!stored.checksumIsRight()) {
      return Reason.BATCH_CRC_MISMATCH;
    }
    return batch.lastOffsetDelta() < 0 ? Reason.BATCH_OFFSET_RANGE_INVALID : null;
  }

  /** Returns a fault of the records that brokers do not look for, the first in docs/rules.md. */
  private @Nullable Reason ofRecords(List<PlainRecord> records) {
    long previous = -1;
    long max = -1;
    for (PlainRecord record : records) {
      int delta = record.offsetDelta();
      if (delta <= previous || delta > batch.lastOffsetDelta()) {
        return Reason.RECORD_OFFSET_OUT_OF_ORDER;
      }
      previous = delta;
      max = Math.max(max, batch.baseTimestamp() + record.timestampDelta());
    }
    boolean hasCreateTimes = !records.isEmpty() && !batch.hasLogAppendTime();
    return hasCreateTimes && max != batch.maxTimestamp()
        ? Reason.BATCH_MAX_TIMESTAMP_MISMATCH
        : null;
  }

  /** Returns what is found in addition to faults: everything if the section observes. */
  private Set<Reason> looked() {
    Set<Reason> looked = none();
    if (section.reports()) {
      looked.addAll(expected.strictTotals.keySet());
    }
    if (section.reports() && !section.strict) {
      looked.addAll(expected.topicTotals.keySet());
    }
    return looked;
  }

  /** The violation of the batch, or those of the failing records that a verdict remembers. */
  private Set<Reason> ofTopic() {
    Set<Reason> all = none();
    if (expected.ofBatch != null) {
      all.add(expected.ofBatch);
    }
    expected.ofRecords.values().stream().limit(Verdict.DEFAULT_RECORD_FAILURES).forEach(all::add);
    return all;
  }

  private Judgment compare(String outcome, Set<Reason> allFaults, Set<Reason> allFindings) {
    return decided(faults).equals(decided(allFaults))
            && decided(findings).equals(decided(allFindings))
        ? Judgment.same(outcome)
        : differs("not " + allFaults + "; findings, not " + allFindings);
  }

  /** Returns the reasons that the model decides. */
  private Set<Reason> decided(Set<Reason> all) {
    Set<Reason> decided = none();
    decided.addAll(all);
    if (!expected.knowsStrict) {
      decided.removeIf(reason -> reason.level() == Level.STRICT);
    }
    return decided;
  }

  /** A limit ends the inspection: of all other reasons, only those of the header are certain. */
  private Judgment ofLimit() {
    Set<Reason> limits = decided(faults);
    limits.removeIf(reason -> !reason.isLimit());
    Set<Reason> others = decided(faults);
    others.removeAll(limits);
    Set<Reason> seen = section.strict ? others : findings;
    Set<Reason> wrong = section.strict ? findings : others;
    Set<Reason> looked = looked();
    Set<Reason> certain = looked();
    certain.retainAll(OF_HEADER);
    return limits.size() == 1
            && expected.exceeded.containsAll(limits)
            && wrong.isEmpty()
            && looked.containsAll(seen)
            && seen.containsAll(certain)
        ? Judgment.same(OF_LOG)
        : differs("not one of " + expected.exceeded + ", and of " + looked);
  }

  /** The model knows neither the records nor their order, times and sizes. */
  private Judgment ofUnreadable() {
    Set<Reason> wrong = decided(faults);
    wrong.removeAll(expected.exceeded);
    wrong.removeAll(expected.undecided);
    wrong.remove(Reason.RECORD_OFFSET_OUT_OF_ORDER);
    wrong.remove(Reason.BATCH_MAX_TIMESTAMP_MISMATCH);
    wrong.removeIf(Reason::isTopicRule);
    return wrong.isEmpty()
        ? Judgment.same("records that the model does not read")
        : differs("which includes " + wrong);
  }

  private static Set<Reason> none() {
    return EnumSet.noneOf(Reason.class);
  }

  private Judgment differs(String why) {
    return Judgment.differs(
        "difference",
        "faults " + faults + ", findings " + findings + ": " + why + "\n  section " + section.name);
  }
}
