// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.testing.DocumentTable;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
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
  private static final long NUMBER = 987_654_321;
  private static final int MEANING = 1;
  private static final int ORIGINS = 2;
  private static final int LEVEL = 3;
  private static final int ANSWER = 4;
  private static final int FOUND_BY = 5;
  private static final int KAFKA = 6;
  private static final int COLUMNS = 7;

  @Test
  void rowsAreTheConstantsInTheirOrder() throws IOException {
    List<String> ids = Arrays.stream(Reason.values()).map(Enum::name).toList();
    assertIterableEquals(ids, DocumentTable.firstColumn(DOCUMENT), "rows of docs/rules.md");
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void rowSaysWhatTheConstantSays(Reason reason) throws IOException {
    List<String> row = DocumentTable.row(DOCUMENT, reason.name());
    assertEquals(COLUMNS, row.size());
    assertEquals(origins(reason), row.get(ORIGINS));
    assertEquals(reason.level().name().toLowerCase(Locale.ROOT), row.get(LEVEL));
    assertEquals("`" + reason.answer() + "`", row.get(ANSWER));
    assertFalse(row.get(MEANING).isEmpty() || row.get(KAFKA).isEmpty(), row.toString());
  }

  private static String origins(Reason reason) {
    List<String> names =
        Arrays.stream(Origin.values())
            .filter(reason::appliesTo)
            .map(origin -> origin.name().toLowerCase(Locale.ROOT))
            .toList();
    return names.size() == Origin.values().length ? "all" : String.join(", ", names);
  }

  /** Rules are the rows that say so: a method in that class and an example, and nothing else is. */
  @Test
  void rulesHaveAMethodAndAnExample() throws IOException {
    checkRules(
        RuleExamplesTest.class, List.of(BatchRules.class, RecordRules.class, LegacyRules.class));
    checkRules(StrictExamplesTest.class, List.of(StrictRules.class));
    Set<String> ofTopics = rowsFoundBy("`TopicChecks`");
    assertIterableEquals(ofTopics, examples(TopicExamplesTest.class), "examples of topic rules");
  }

  private static void checkRules(Class<?> examples, List<Class<?>> classes) throws IOException {
    Set<String> all = new TreeSet<>();
    for (Class<?> each : classes) {
      Set<String> rows = rowsFoundBy("`" + each.getSimpleName() + "`");
      assertIterableEquals(rows, rules(each), "methods of " + each.getSimpleName());
      all.addAll(rows);
    }
    assertIterableEquals(all, examples(examples), "examples of " + examples.getSimpleName());
  }

  private static Set<String> examples(Class<?> of) {
    return Arrays.stream(of.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Level STRICT comes last, and is what {@code StrictRules} are about. */
  @ParameterizedTest
  @EnumSource(Reason.class)
  void strictRulesAreThoseOfLevelStrict(Reason reason) throws IOException {
    boolean strict = reason.level() == Level.STRICT;
    List<String> row = DocumentTable.row(DOCUMENT, reason.name());
    assertEquals(strict, row.get(FOUND_BY).equals("`StrictRules`"));
    boolean isLast =
        EnumSet.range(reason, Reason.BATCH_MAX_TIMESTAMP_WRONG).stream()
            .allMatch(each -> each.level() == Level.STRICT);
    assertEquals(strict, isLast);
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
        "| <a id=\"%s\"></a>`%s` | %s | %s | kafka | `%s` | `TopicChecks` | none |",
        reason.name().toLowerCase(Locale.ROOT), reason, meaning, origins(reason), reason.answer());
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

  private static Set<String> rowsFoundBy(String place) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Reason reason : Reason.values()) {
      if (DocumentTable.row(DOCUMENT, reason.name()).get(FOUND_BY).equals(place)) {
        names.add(DocumentTable.camelCase(reason.name()));
      }
    }
    return names;
  }
}
