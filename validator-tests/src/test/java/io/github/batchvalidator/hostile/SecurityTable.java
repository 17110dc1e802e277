// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import io.github.batchvalidator.hostile.HostileInput.Look;
import io.github.batchvalidator.rule.Reason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The table of {@code results/hostile.md}: one row per class of input, between two comments. */
final class SecurityTable {
  private static final Pattern MARKS =
      Pattern.compile("(<!-- hostile inputs -->\n).*?(<!-- /hostile inputs -->)", Pattern.DOTALL);
  private static final String HEAD =
      "| class of input | inputs | level `KAFKA` | level `STRICT` | with limits | Kafka "
          + Runs.STOCK
          + " |\n|---|--:|---|---|---|---|\n";
  private static final String SAME = "as `KAFKA`";

  private final List<HostileInput> inputs;
  private final List<StockOutcome> stock;

  SecurityTable(List<HostileInput> inputs, List<StockOutcome> stock) {
    this.inputs = inputs;
    this.stock = stock;
  }

  /** Returns a document with an updated table. */
  String updated(String document) {
    Matcher marks = MARKS.matcher(document);
    if (!marks.find()) {
      throw new IllegalArgumentException("the document has no place for the table");
    }
    String table = Matcher.quoteReplacement("\n" + markdown() + "\n");
    return marks.replaceFirst("$1" + table + "$2");
  }

  private String markdown() {
    Map<String, List<Integer>> families =
        IntStream.range(0, inputs.size())
            .boxed()
            .collect(
                Collectors.groupingBy(
                    i -> inputs.get(i).family(), LinkedHashMap::new, Collectors.toList()));
    return families.entrySet().stream()
        .map(family -> row(family.getKey(), family.getValue()))
        .collect(Collectors.joining("\n", HEAD, "\n"));
  }

  private String row(String family, List<Integer> members) {
    String kafka = answers(members, Look.KAFKA);
    String strict = answers(members, Look.STRICT);
    String limited = answers(members, Look.LIMITED);
    List<String> cells =
        List.of(
            family,
            "" + members.size(),
            kafka,
            strict.equals(kafka) ? SAME : strict,
            limited.equals(kafka) ? SAME : limited,
            distinct(members, i -> stock.get(i).words()));
    return "| " + String.join(" | ", cells) + " |";
  }

  private String answers(List<Integer> members, Look look) {
    return distinct(members, i -> answer(inputs.get(i).expected(look)));
  }

  private static String answer(@Nullable Reason reason) {
    return reason == null ? "accepted" : "`" + reason + "`";
  }

  private static String distinct(List<Integer> members, IntFunction<String> words) {
    return members.stream().map(words::apply).distinct().collect(Collectors.joining(", "));
  }
}
