// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testkit.specification.LibrarySide.Result;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares what a host of the library has in the end with stock and with the model. */
final class LibraryJudge {
  private static final String CONTROL_BATCH = "CONTROL_BATCH_IN_OLD_LOG";
  private static final String RECORD_LIMIT = "RECORD_LIMIT_BY_CONTENT";

  private final StockLine line;
  private final Expectation expected;
  private final Append append;
  private final Answer stock;
  private final Result ours;

  LibraryJudge(StockLine line, Expectation expected, Append append, Answer stock, Result ours) {
    this.line = line;
    this.expected = expected;
    this.append = append;
    this.stock = stock;
    this.ours = ours;
  }

  Judgment judge() {
    Reason reason = ours.reason();
    if (!ours.section().equals(expected.section.name)) {
      return differs("section " + ours.section());
    }
    if (reason != null && reason.isLimit() && expected.mayExceed(reason, append, stock)) {
      return Judgment.ofLimit(stock);
    }
    if (!stock.accepted()) {
      return refused(reason);
    }
    if (isRecordLimitByContent()) {
      return Judgment.explained("refused for a limit", RECORD_LIMIT);
    }
    if (!expected.exceeded.isEmpty()) {
      return differs("a limit does not refuse: " + expected.exceeded);
    }
    if (expected.isRefusedByTopic()) {
      return isTopicRefusal()
          ? Judgment.same("refused for the topic")
          : differs("the topic refuses " + expected.ofBatch + " " + expected.ofRecords);
    }
    if (expected.section.strict && (expected.isRefusedByLevel() || !expected.knowsStrict)) {
      boolean isOfLevel = reason != null && reason.level() == Level.STRICT;
      boolean areAllFound =
          ours.found().equals(expected.strictTotals) && ours.found().containsKey(reason);
      if (isOfLevel && (!expected.knowsStrict || areAllFound)) {
        return Judgment.same("refused by the level");
      }
      if (expected.knowsStrict) {
        return differs("level STRICT refuses " + expected.strictTotals);
      }
    }
    return expected.rebuilt == Expectation.Certainty.YES
        ? differs("the limit of rebuilt batches does not refuse")
        : accepted();
  }

  private Judgment refused(@Nullable Reason reason) {
    if (reason == null) {
      return differs("stock refuses");
    }
    LibraryRefusal refusal = new LibraryRefusal(append, stock, ours, expected.mayStreamFail);
    if (refusal.isLikeStock()) {
      return Judgment.same("refused by Kafka");
    }
    // The limit refuses a rebuild of a batch that the inspection rejects as well.
    Reason other = ours.ofRebuild();
    if (other != null && other.isLimit() && expected.mayExceed(other, append, stock)) {
      return Judgment.ofLimit(stock);
    }
    String row = isRecordLimitByContent() ? RECORD_LIMIT : refusal.row();
    return row == null
        ? differs("stock refuses otherwise")
        : Judgment.explained("refused by Kafka", row);
  }

  private boolean isRecordLimitByContent() {
    return ours.reason() == Reason.LIMIT_RECORD_BYTES && StoredBytes.takeMoreThanTheLimit(append);
  }

  private Judgment accepted() {
    Answer.Result theirs = stock.result();
    byte[] stored = ours.stored();
    if (stored == null && theirs != null && isControlBatchInOldLog(theirs)) {
      return Judgment.explained("refused by Kafka", CONTROL_BATCH);
    }
    if (stored == null || theirs == null) {
      return differs("stock accepts");
    }
    byte[] kept = theirs.sameInstance() ? withoutCutBatch(theirs.bytes()) : null;
    boolean isSame =
        kept == null
            ? StoredBytes.same(theirs.bytes(), stored) && line.same(theirs.bytes(), stored)
            : Arrays.equals(kept, stored);
    if (isSame) {
      return withFindings(Judgment.same("accepted"));
    }
    if (kept != null && isWrongChecksumKept(kept, stored)) {
      return withFindings(Judgment.explained("accepted", "WRONG_CHECKSUM_KEPT"));
    }
    return isControlBatchInOldLog(theirs)
        ? withFindings(Judgment.explained("accepted", CONTROL_BATCH))
        : differs("stock stores other bytes");
  }

  /** Returns the judgment of an accepted batch, unless its findings are not those of the model. */
  private Judgment withFindings(Judgment accepted) {
    if (!expected.section.reports()) {
      return ours.found().isEmpty() ? accepted : differs("it does not observe");
    }
    Map<Reason, Long> all = new EnumMap<>(Reason.class);
    all.putAll(expected.topicTotals);
    all.putAll(expected.strictTotals);
    Map<Reason, Long> found = new EnumMap<>(Reason.class);
    found.putAll(ours.found());
    if (!expected.knowsStrict) {
      all.keySet().removeIf(reason -> !reason.isTopicRule());
      found.keySet().removeIf(reason -> !reason.isTopicRule());
    }
    return all.equals(found) ? accepted : differs("findings, not " + all);
  }

  /** Kafka keeps magic 2 although the log has another one; ours rebuilds or refuses. */
  private boolean isControlBatchInOldLog(Answer.Result theirs) {
    return theirs.sameInstance() && ours.isRebuild() && StoredBytes.isControlBatchForOldLog(append);
  }

  private StoredBytes.Span batch() {
    return StoredBytes.spans(append.bytes()).get(0);
  }

  /** A host stores the batch without the cut one that may follow. */
  private byte[] withoutCutBatch(byte[] stored) {
    return Arrays.copyOf(stored, batch().size());
  }

  /** Kafka computes a right checksum over wrong bytes, ours stays wrong. */
  private boolean isWrongChecksumKept(byte[] theirs, byte[] stored) {
    if (theirs.length != stored.length || batch().checksumIsRight()) {
      return false;
    }
    int at = stored[16] == 2 ? 17 : 12;
    byte[] alike = stored.clone();
    System.arraycopy(theirs, at, alike, at, Integer.BYTES);
    return Arrays.equals(theirs, alike)
        && !Arrays.equals(Batches.fixCrc(ByteBuffer.wrap(alike)).array(), stored);
  }

  private boolean isTopicRefusal() {
    if (expected.ofBatch != null) {
      return ours.reason() == expected.ofBatch;
    }
    Reason first = expected.ofRecords.values().iterator().next();
    return ours.failures().equals(expected.ofRecords) && ours.reason() == first;
  }

  private Judgment differs(String why) {
    return Judgment.differs(
        "difference",
        why
            + "\n  section "
            + expected.section.name
            + "\n  stock "
            + stock
            + "\n  ours  "
            + ours.reason()
            + (ours.isRebuild() ? " (rebuild), " : ", ")
            + (ours.ofRebuild() == null ? "" : "a rebuild says " + ours.ofRebuild() + ", ")
            + ours.failures()
            + ", found "
            + ours.found());
  }
}
