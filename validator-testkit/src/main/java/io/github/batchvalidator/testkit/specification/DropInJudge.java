// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.LineDifference;
import io.github.batchvalidator.lines.LinePair.Outcome;
import io.github.batchvalidator.lines.LineSide;
import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.BufferKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares the answer of a drop-in with that of stock and with the model. */
final class DropInJudge {
  private final StockLine line;
  private final Expectation expected;
  private final Append append;
  private final Answer stock;
  private final Answer ours;
  private final List<StoredBytes.Span> batches;
  private final Set<Reason> found;
  private final DropInSide.Added counted;

  /** The reason of ours that the text about the whole batch names, or null. */
  private final @Nullable Reason named;

  DropInJudge(
      StockLine line,
      Expectation expected,
      Append append,
      Answer stock,
      Answer ours,
      DropInSide.Added counted) {
    this.line = line;
    this.expected = expected;
    this.append = append;
    this.stock = stock;
    this.ours = ours;
    this.counted = counted;
    batches = StoredBytes.spans(append.bytes());
    found = counted.reasons().keySet();
    named = Sentences.ofBatch(text());
  }

  Judgment judge() {
    Judgment judgment = ofAnswer();
    String wrong = judgment.difference() == null ? wrongCount() : null;
    return wrong == null ? judgment : differs(wrong);
  }

  /**
   * "Counts carry the name of the section." A refused append counts once, whatever it holds. Only
   * batches that level KAFKA accepts have findings, each of them once.
   */
  private @Nullable String wrongCount() {
    if (counted.refused() != (ours.accepted() || isUnwritable() ? 0 : 1)) {
      return "the section counts refused batches: " + counted.refused();
    }
    boolean isStrict = isNamed() && isOfLevel(named);
    long most = ours.accepted() ? Math.max(1, batches.size()) : isStrict ? 1 : 0;
    boolean isFound = counted.found() > 0;
    boolean isRight =
        counted.found() <= most
            && isFound != found.isEmpty()
            && (!isStrict || areReasonsOfRefusal())
            && counted.reasons().values().stream().allMatch(times -> times <= counted.found());
    return isRight ? null : "the section counts findings: " + counted;
  }

  /** Level STRICT finds all its reasons before it refuses a batch for the first one. */
  private boolean areReasonsOfRefusal() {
    return expected.knowsStrict
        ? found.equals(expected.strictTotals.keySet())
        : named != null && found.contains(named);
  }

  /** Returns true if ours accepts records that it cannot stamp, which nothing counts. */
  private boolean isUnwritable() {
    return append.placement() == BufferKind.READ_ONLY && text().contains("read-only buffer");
  }

  private Judgment ofAnswer() {
    Reason limit = limit();
    if (limit != null && expected.mayExceed(limit, append, stock)) {
      return isLimitRefusal(limit)
          ? Judgment.ofLimit(stock)
          : differs("code, exception or bytes are not those of a refusal for a limit");
    }
    if (!stock.accepted() && isRefusalOfOtherMessage()) {
      return Judgment.explained(
          "refused by Kafka", SpecificationDifference.OTHER_MESSAGE_FIRST.name());
    }
    if (!stock.accepted()) {
      return likeStock("refused by Kafka", Set.of());
    }
    if (limit == Reason.LIMIT_RECORD_BYTES && StoredBytes.takeMoreThanTheLimit(append)) {
      return likeStock("refused for a limit", Set.of()); // that of Kafka
    }
    if (!expected.exceeded.isEmpty()) {
      return differs("a limit does not refuse: " + expected.exceeded);
    }
    if (expected.isRefusedByTopic()) {
      return isTopicRefusal()
          ? Judgment.same("refused for the topic")
          : differs("the topic refuses " + expected.ofBatch + " " + expected.ofRecords);
    }
    if (expected.isRefusedByLevel() || (expected.section.strict && !expected.knowsStrict)) {
      if (isStrictRefusal()) {
        return Judgment.same("refused by the level");
      }
      if (expected.knowsStrict) {
        return differs("level STRICT refuses " + expected.strictTotals);
      }
    }
    return expected.rebuilt == Expectation.Certainty.YES
        ? differs("the limit of rebuilt batches does not refuse")
        : likeStock("accepted", expectedFindings());
  }

  private Set<Reason> expectedFindings() {
    Set<Reason> all = new TreeSet<>();
    if (expected.section.reports()) {
      all.addAll(expected.topicTotals.keySet());
      all.addAll(expected.strictTotals.keySet());
    }
    return all;
  }

  private Judgment likeStock(String outcome, Set<Reason> findings) {
    Set<Answer.Part> differences = stock.differences(ours);
    if (differences.contains(Answer.Part.RESULT_BYTES) && isRebuiltAlike()) {
      differences.remove(Answer.Part.RESULT_BYTES);
    }
    LineDifference known =
        differences.isEmpty()
            ? null
            : LineDifference.of(new Outcome(line.line(), append, stock, ours, differences));
    if (!differences.isEmpty() && known == null) {
      return differs("stock answers otherwise: " + differences);
    }
    boolean isAccepted = stock.accepted() && ours.accepted();
    if (expected.section.reports() && isAccepted && !areFindings(findings)) {
      return differs("findings " + found + ", not " + findings);
    }
    return known == null ? Judgment.same(outcome) : Judgment.explained(outcome, known.name());
  }

  private boolean areFindings(Set<Reason> findings) {
    if (expected.knowsStrict) {
      return found.equals(findings);
    }
    Set<Reason> topic = new TreeSet<>(found);
    topic.removeIf(reason -> !reason.isTopicRule());
    return topic.equals(expected.topicTotals.keySet());
  }

  private boolean isRebuiltAlike() {
    Answer.Result theirs = Objects.requireNonNull(stock.result());
    Answer.Result written = Objects.requireNonNull(ours.result());
    return !theirs.sameInstance()
        && StoredBytes.same(theirs.bytes(), written.bytes())
        && line.same(theirs.bytes(), written.bytes());
  }

  private String text() {
    return String.join(" ", ours.texts().all());
  }

  /** Returns the limit that refuses the batch, unless stock refuses it in the same words. */
  private @Nullable Reason limit() {
    boolean isStocks = stock.thrown() != null && stock.texts().equals(ours.texts());
    return isStocks ? null : Sentences.limitOf(text());
  }

  /** Producers get the text of no other exception. */
  private boolean isTextSent() {
    return ours.threw("RecordValidationException");
  }

  /** Returns true if the producer gets the named reason and its error code. */
  private boolean isNamed() {
    return named != null && isTextSent() && ours.errorCode() == ErrorCodes.of(named);
  }

  private static boolean isOfLevel(@Nullable Reason reason) {
    return reason != null && reason.level() == Level.STRICT;
  }

  private boolean isUntouched() {
    return Arrays.equals(LineSide.memory(append), ours.caller());
  }

  /** Several messages are stamped one by one, those before the refused one, too. */
  private boolean isUntouchedOrOneOfSeveral() {
    return batches.size() > 1 || isUntouched();
  }

  /** Producers get the text of a limit that Kafka lacks. */
  private boolean isLimitRefusal(Reason limit) {
    return ours.errorCode() == ErrorCodes.of(limit)
        && (named != limit || isTextSent())
        && isUntouchedOrOneOfSeveral();
  }

  private boolean isStrictRefusal() {
    return isNamed()
        && isOfLevel(named)
        && (!expected.knowsStrict || expected.strictTotals.containsKey(named))
        && isUntouchedOrOneOfSeveral();
  }

  /** Messages of magic 0 and 1 are batches of their own: the first one that fails decides. */
  private boolean isRefusalOfOtherMessage() {
    boolean isRuled = expected.isRefusedByTopic() && expected.ofBatch != null;
    return batches.size() > 1
        && batches.get(0).magic() < 2
        && isNamed()
        && (isRuled ? named == expected.ofBatch : expected.section.strict && isOfLevel(named));
  }

  /** The refusal names the first violation of the batch, or of each record, and changes no byte. */
  private boolean isTopicRefusal() {
    if (ours.errorCode() != ErrorCodes.INVALID_RECORD || !isUntouched()) {
      return false;
    }
    if (expected.ofBatch != null) {
      return ours.recordErrors().isEmpty() && isNamed() && named == expected.ofBatch;
    }
    int i = 0;
    for (Map.Entry<Integer, Reason> record : expected.ofRecords.entrySet()) {
      if (i == ours.recordErrors().size()) {
        return false;
      }
      String error = ours.recordErrors().get(i++);
      String index = record.getKey() + " ";
      if (!error.startsWith(index)
          || !Sentences.isAbout(error.substring(index.length()), record.getValue())) {
        return false;
      }
    }
    return i == ours.recordErrors().size();
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
            + ours
            + "\n  texts "
            + ours.texts());
  }
}
