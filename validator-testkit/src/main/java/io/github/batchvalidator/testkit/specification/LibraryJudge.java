// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.StoredBytes;
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

  private final DropInSide side;
  private final Expectation expected;
  private final Append append;
  private final Answer stock;
  private final Result ours;

  LibraryJudge(DropInSide side, Expectation expected, Append append, Answer stock, Result ours) {
    this.side = side;
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
    if (reason != null && reason.name().startsWith("LIMIT_") && expected.mayExceedLimits()) {
      return Judgment.ofLimit(stock);
    }
    if (!stock.accepted()) {
      return refused(reason);
    }
    if (reason == Reason.LIMIT_RECORD_BYTES && StoredBytes.takeMoreThanTheLimit(append)) {
      return Judgment.explained("refused for a limit", "RECORD_LIMIT_BY_CONTENT");
    }
    if (expected.limits == Expectation.Certainty.YES) {
      return differs("a limit does not refuse");
    }
    if (expected.isRefusedByTopic()) {
      return isTopicRefusal()
          ? Judgment.same("refused for the topic")
          : differs("the topic refuses " + expected.ofBatch + " " + expected.ofRecords);
    }
    if (expected.section.strict && (expected.isRefusedByLevel() || !expected.knowsStrict)) {
      if (reason != null && (expected.strictTotals.containsKey(reason) || !expected.knowsStrict)) {
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
    LibraryRefusal refusal = new LibraryRefusal(append, stock, ours);
    if (refusal.isLikeStock()) {
      return Judgment.same("refused by Kafka");
    }
    if (refusal.isLimitOfRebuild() && expected.mayExceedLimits()) {
      return Judgment.ofLimit(stock);
    }
    String row = refusal.row();
    return row == null
        ? differs("stock refuses otherwise")
        : Judgment.explained("refused by Kafka", row);
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
    // A host stores the batch without the cut one that may follow.
    byte[] kept = Arrays.copyOf(theirs.bytes(), stored.length);
    boolean isSame =
        theirs.sameInstance()
            ? Arrays.equals(kept, stored)
            : StoredBytes.same(theirs.bytes(), stored) && side.same(theirs.bytes(), stored);
    if (!isSame && theirs.sameInstance() && isOnlyWrongChecksum(kept, stored)) {
      return Judgment.explained("accepted", "WRONG_CHECKSUM_KEPT");
    }
    if (!isSame && isControlBatchInOldLog(theirs)) {
      return Judgment.explained("accepted", CONTROL_BATCH);
    }
    if (!isSame) {
      return differs("stock stores other bytes");
    }
    if (!expected.section.reports()) {
      return ours.found().isEmpty() ? Judgment.same("accepted") : differs("it does not observe");
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
    return all.equals(found) ? Judgment.same("accepted") : differs("findings, not " + all);
  }

  /** Kafka keeps magic 2 although the log has another one; ours rebuilds or refuses. */
  private boolean isControlBatchInOldLog(Answer.Result theirs) {
    return theirs.sameInstance()
        && ours.isRebuild()
        && new ModelBatch(theirs.bytes(), 0).isControl();
  }

  /** Kafka computes a right checksum over wrong bytes, ours stays wrong. */
  private static boolean isOnlyWrongChecksum(byte[] theirs, byte[] stored) {
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
