// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.lines.LinePair.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Counts what was compared, and keeps the first differences that nothing explains. */
final class LineReport {
  private static final int MOST_EXAMPLES = 50;

  private final Map<KafkaLine, Long> inputs = new EnumMap<>(KafkaLine.class);
  private final Map<String, Long> answers = new TreeMap<>();
  private final Map<LineDifference, Long> explained = new EnumMap<>(LineDifference.class);
  private final List<String> examples = new ArrayList<>();
  private long unexplained;
  private long hostile;

  /**
   * Asks both sides. Skips an append if stock would allocate what the bytes declare, or if its
   * answer depends on the earlier content of a buffer. Skips it, too, if stock runs out of memory
   * unexpectedly, because that answer depends on the heap.
   */
  void compare(LinePair pair, Append append) {
    if (Hostile.isHostile(append) || Lz4Blocks.anyDecodesByChance(append)) {
      skip();
      return;
    }
    Outcome outcome = pair.ask(append);
    if (outcome.stock().threw("OutOfMemoryError") && !outcome.ours().crashed()) {
      skip();
      return;
    }
    boolean same = outcome.differences().isEmpty();
    count(outcome, same ? null : LineDifference.of(outcome));
  }

  private synchronized void skip() {
    hostile++;
  }

  private synchronized void count(Outcome outcome, @Nullable LineDifference difference) {
    inputs.merge(outcome.line(), 1L, Long::sum);
    answers.merge(kind(outcome.stock()), 1L, Long::sum);
    if (difference != null) {
      explained.merge(difference, 1L, Long::sum);
    } else if (!outcome.differences().isEmpty()) {
      unexplained++;
      if (examples.size() < MOST_EXAMPLES) {
        examples.add(outcome.toString());
      }
    }
  }

  private static String kind(Answer stock) {
    Answer.Thrown thrown = stock.thrown();
    if (thrown == null) {
      return stock.result() != null && stock.result().sameInstance()
          ? "accepted, in place"
          : "accepted, written anew";
    }
    String kind = simple(thrown.type());
    return (stock.crashed() ? "crash: " : "refused: ")
        + (thrown.inner().isEmpty() ? kind : kind + " of " + simple(thrown.inner()));
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** Returns how many inputs both sides were asked about. */
  synchronized long inputs() {
    return inputs.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns how often the answers differed and nothing explains it. */
  synchronized long unexplained() {
    return unexplained;
  }

  synchronized Map<KafkaLine, Long> byLine() {
    return new EnumMap<>(inputs);
  }

  synchronized Map<String, Long> byAnswer() {
    return new TreeMap<>(answers);
  }

  /** Returns all counts as a text for people, tables of Markdown. */
  synchronized String toText() {
    StringBuilder text = new StringBuilder();
    table(text, "Kafka", inputs.entrySet(), key -> ((KafkaLine) key).version());
    table(text, "answer of the stock class", answers.entrySet(), Object::toString);
    table(text, "explained difference", explained.entrySet(), key -> "`" + key + "`");
    text.append(
            "Not compared, since stock would allocate what they declare, or has, or its answer is chance: ")
        .append(hostile)
        .append(".\nUnexplained differences: ")
        .append(unexplained)
        .append(".\n");
    examples.forEach(example -> text.append("\n```\n").append(example).append("\n```\n"));
    return text.toString();
  }

  private static <K> void table(
      StringBuilder text,
      String title,
      Iterable<Map.Entry<K, Long>> rows,
      Function<Object, String> name) {
    text.append("| ").append(title).append(" | inputs |\n|---|---:|\n");
    for (Map.Entry<K, Long> row : rows) {
      text.append("| ").append(name.apply(row.getKey())).append(" | ");
      text.append(row.getValue()).append(" |\n");
    }
    text.append('\n');
  }
}
