// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.LineDifference;
import io.github.batchvalidator.lines.LinePair.Outcome;
import io.github.batchvalidator.lines.LineSide;
import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.rule.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Compares the answer of a drop-in with that of stock and with the model. */
final class DropInJudge {
  private static final int INVALID_RECORD = 87;

  /** Outcomes that a rule, a level or a limit decides. */
  private static final Set<String> REFUSALS =
      Set.of("refused for the topic", "refused by the level", "refused for a limit");

  private final DropInSide side;
  private final Expectation expected;
  private final Append append;
  private final Answer stock;
  private final Answer ours;
  private final Set<Reason> found;
  private final DropInSide.Added counted;

  DropInJudge(
      DropInSide side,
      Expectation expected,
      Append append,
      Answer stock,
      Answer ours,
      DropInSide.Added counted) {
    this.side = side;
    this.expected = expected;
    this.append = append;
    this.stock = stock;
    this.ours = ours;
    this.counted = counted;
    found = counted.reasons();
  }

  /** "Counts carry the name of the section." */
  Judgment judge() {
    Judgment judgment = ofAnswer();
    boolean isOurRefusal = REFUSALS.contains(judgment.outcome()) && judgment.difference() == null;
    if (isOurRefusal && !counted.isRefused()) {
      return differs("the section counts no refusal");
    }
    if (judgment.outcome().equals("accepted") && counted.isFound() == found.isEmpty()) {
      return differs("the section counts findings: " + counted.isFound());
    }
    return judgment;
  }

  private Judgment ofAnswer() {
    if (isLimit() && expected.mayExceedLimits()) {
      return Sentences.isOurLimit(text()) && !isTextSent()
          ? differs("producers do not get the text of a limit")
          : Judgment.ofLimit(stock);
    }
    if (!stock.accepted() && isRefusalOfOtherMessage()) {
      return Judgment.explained(
          "refused by Kafka", SpecificationDifference.OTHER_MESSAGE_FIRST.name());
    }
    if (!stock.accepted()) {
      return likeStock("refused by Kafka", Set.of());
    }
    if (expected.limits == Expectation.Certainty.YES) {
      return differs("a limit does not refuse");
    }
    if (expected.isRefusedByTopic()) {
      return isTopicRefusal()
          ? Judgment.same("refused for the topic")
          : differs("the topic refuses " + expected.ofBatch + " " + expected.ofRecords);
    }
    if (expected.isRefusedByLevel() || (expected.section.strict && !expected.knowsStrict)) {
      if (!ours.accepted() && isStrictRefusal()) {
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
    if (!differences.isEmpty()) {
      LineDifference known =
          LineDifference.of(new Outcome(side.line, append, stock, ours, differences));
      return known == null
          ? differs("stock answers otherwise: " + differences)
          : Judgment.explained(outcome, known.name());
    }
    if (expected.section.reports() && stock.accepted() && !areFindings(findings)) {
      return differs("findings " + found + ", not " + findings);
    }
    return Judgment.same(outcome);
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
        && side.same(theirs.bytes(), written.bytes());
  }

  private String text() {
    return String.join(" ", ours.texts().all());
  }

  private boolean isLimit() {
    return !ours.accepted()
        && Sentences.isLimit(text())
        && !(stock.thrown() != null && stock.texts().equals(ours.texts()));
  }

  /** Producers get the text of no other exception. */
  private boolean isTextSent() {
    return ours.threw("RecordValidationException");
  }

  private boolean isStrictRefusal() {
    return isTextSent()
        && Sentences.isAboutAny(
            text(), expected.knowsStrict ? expected.strictTotals.keySet() : strictReasons());
  }

  private static List<Reason> strictReasons() {
    List<Reason> all = new ArrayList<>();
    for (Reason reason : Reason.values()) {
      if (reason.level() == io.github.batchvalidator.rule.Level.STRICT) {
        all.add(reason);
      }
    }
    return all;
  }

  /** Messages of magic 0 and 1 are batches of their own: the first one that fails decides. */
  private boolean isRefusalOfOtherMessage() {
    boolean isRuled = expected.isRefusedByTopic() && expected.ofBatch != null;
    List<StoredBytes.Span> spans = StoredBytes.spans(append.bytes());
    return spans.size() > 1
        && spans.get(0).magic() < 2
        && (isRuled
            ? Sentences.isAboutAny(text(), expected.topicTotals.keySet())
            : expected.section.strict && Sentences.isAboutAny(text(), strictReasons()));
  }

  /** The refusal names the first violation of the batch, or of each record, and changes no byte. */
  private boolean isTopicRefusal() {
    if (ours.errorCode() != INVALID_RECORD
        || !Arrays.equals(LineSide.memory(append), ours.caller())) {
      return false;
    }
    if (expected.ofBatch != null) {
      return ours.recordErrors().isEmpty()
          && isTextSent()
          && Sentences.isAbout(text(), expected.ofBatch);
    }
    int i = 0;
    for (Map.Entry<Integer, Reason> record : expected.ofRecords.entrySet()) {
      if (i == ours.recordErrors().size()) {
        return false;
      }
      String error = ours.recordErrors().get(i++);
      if (!error.startsWith(record.getKey() + " ")
          || !Sentences.isAbout(error, record.getValue())) {
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
