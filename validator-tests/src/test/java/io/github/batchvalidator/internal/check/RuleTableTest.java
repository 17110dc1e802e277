// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.testing.DocumentTable;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The four places of a rule: constant, method, example and row of {@code docs/rules.md}. The rows
 * of topic rules are made from their constants.
 */
final class RuleTableTest {
  private static final String DOCUMENT = "rules.md";
  private static final Pattern FAMILY = Pattern.compile("(batch|record|payload|codec)[A-Z]");
  private static final Pattern ORIGINS =
      Pattern.compile("appends|(client|coordinator|replication|stored)(, [a-z]+)*");
  private static final Pattern ANSWER = Pattern.compile("`[A-Z_]+`");
  private static final long NUMBER = 987_654_321;
  private static final int MEANING = 1;
  private static final int DIFFERS = 2;
  private static final int COLUMNS = 3;
  private static final int COLUMNS_OF_TOPIC_RULES = 2;

  @Test
  void rowsAreTheConstantsInTheirOrder() throws IOException {
    List<String> ids = Arrays.stream(Reason.values()).map(Enum::name).toList();
    assertIterableEquals(ids, DocumentTable.firstColumn(DOCUMENT), "rows of docs/rules.md");
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void rowSaysWhatTheConstantSays(Reason reason) throws IOException {
    List<String> row = DocumentTable.row(DOCUMENT, reason.name());
    assertFalse(row.get(MEANING).isEmpty(), row::toString);
    if (reason.isTopicRule()) { // the page says the rest once, for all of them
      assertEquals(COLUMNS_OF_TOPIC_RULES, row.size());
      assertEquals("client, stored", origins(reason));
      assertEquals("INVALID_RECORD", reason.answer().name());
      return;
    }
    assertEquals(COLUMNS, row.size());
    List<String> differs = new ArrayList<>();
    if (!origins(reason).equals("all")) {
      differs.add(origins(reason));
    }
    if (reason.answer() != Reason.Answer.INVALID_RECORD) {
      differs.add("`" + reason.answer() + "`");
    }
    List<String> said =
        Arrays.stream(row.get(DIFFERS).split("; ", -1))
            .filter(part -> ORIGINS.matcher(part).matches() || ANSWER.matcher(part).matches())
            .toList();
    assertEquals(differs, said, row::toString);
  }

  /** Returns the origins in the words of the page. */
  private static String origins(Reason reason) {
    String names =
        Arrays.stream(Origin.values())
            .filter(reason::appliesTo)
            .map(origin -> origin.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return switch (names) {
      case "client, coordinator, replication, stored" -> "all";
      case "client, coordinator, replication" -> "appends";
      default -> names;
    };
  }

  /** A rule has a method of its name and an example; the other reasons are those of decoders. */
  @Test
  void rulesHaveAMethodAndAnExample() {
    Set<String> rules = new TreeSet<>();
    for (Class<?> each : List.of(BatchRules.class, RecordRules.class, LegacyRules.class)) {
      rules.addAll(rules(each));
    }
    assertIterableEquals(rules, examples(RuleExamplesTest.class), "examples of rules");
    assertTrue(names(reason -> true).containsAll(rules), rules::toString);
    Set<String> strict = names(reason -> reason.level() == Level.STRICT);
    assertIterableEquals(strict, rules(StrictRules.class), "methods of StrictRules");
    assertIterableEquals(strict, examples(StrictExamplesTest.class), "examples of StrictRules");
    Set<String> ofTopics = names(Reason::isTopicRule);
    assertIterableEquals(ofTopics, examples(TopicExamplesTest.class), "examples of topic rules");
  }

  private static Set<String> names(Predicate<Reason> which) {
    return Arrays.stream(Reason.values())
        .filter(which)
        .map(reason -> DocumentTable.camelCase(reason.name()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> examples(Class<?> of) {
    return Arrays.stream(of.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Level STRICT comes last, in a table of its own. */
  @Test
  void theLastTableHasTheReasonsOfLevelStrict() throws IOException {
    List<String> strict =
        Arrays.stream(Reason.values())
            .filter(reason -> reason.level() == Level.STRICT)
            .map(Enum::name)
            .toList();
    assertIterableEquals(strict, DocumentTable.firstColumn(DOCUMENT, "## Level strict"));
  }

  /** All that these rows say is in the constants of the reason and of its rule. */
  @Test
  void rowsOfTopicRulesAreMadeFromTheCode() throws IOException {
    List<String> rows =
        Arrays.stream(Reason.values())
            .filter(Reason::isTopicRule)
            .map(RuleTableTest::rowOfTopicRule)
            .toList();
    DocumentTable.assertRows(DOCUMENT, "# Rules", line -> line.contains("</a>`TOPIC_"), rows);
  }

  private static String rowOfTopicRule(Reason reason) {
    String keys =
        TopicRule.all().stream()
            .filter(rule -> rule.reasons().contains(reason))
            .map(rule -> "`" + rule + "`: ")
            .collect(Collectors.joining());
    String sentence = reason.describe(NUMBER, NUMBER);
    String meaning =
        keys + sentence.replace("" + NUMBER, "N").replace(Long.toHexString(NUMBER), "N");
    return String.format(
        "| <a id=\"%s\"></a>`%s` | %s |", reason.name().toLowerCase(Locale.ROOT), reason, meaning);
  }

  @Test
  void everyTopicRuleHasReasonsAndOnlyOneIsThatOfAllRules() {
    Set<Reason> given = EnumSet.of(Reason.TOPIC_MAGIC_UNSUPPORTED);
    TopicRule.all().forEach(rule -> given.addAll(rule.reasons()));
    assertEquals(
        given,
        Arrays.stream(Reason.values()).filter(Reason::isTopicRule).collect(Collectors.toSet()));
  }

  /** Every method that starts with a family's name is a rule. */
  private static Set<String> rules(Class<?> of) {
    return Arrays.stream(of.getDeclaredMethods())
        .map(Method::getName)
        .filter(name -> FAMILY.matcher(name).lookingAt())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
