// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaRule;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFileTest {
  @TempDir private Path folder;

  private PolicyFile load(String... lines) throws IOException, PolicyFileException {
    return PolicyFile.load(write(lines));
  }

  private Path write(String... lines) throws IOException {
    return Files.write(folder.resolve("policy.properties"), List.of(lines));
  }

  private List<PolicyProblem> problems(String... lines) throws IOException {
    Path file = write(lines);
    return assertThrows(PolicyFileException.class, () -> PolicyFile.load(file)).problems();
  }

  private void assertProblem(int line, String key, String part, String... lines)
      throws IOException {
    List<PolicyProblem> problems = problems(lines);
    assertEquals(1, problems.size(), problems::toString);
    PolicyProblem problem = problems.get(0);
    assertEquals(line, problem.line(), problem::toString);
    assertEquals(key, problem.key());
    assertTrue(problem.message().contains(part), problem::toString);
    assertTrue(problem.file().endsWith("policy.properties"));
  }

  @Test
  void everySettingOfASection() throws Exception {
    PolicyFile file =
        load(
            "topics.a.match = orders, payments-*",
            "topics.a.level=strict",
            "topics.a.limits=broker-default",
            "topics.a.limits.ratio=500",
            "topics.a.codecs=lz4, zstd",
            "topics.a.key.required=true",
            "topics.a.value.required=true",
            "topics.a.headers.required=trace, tenant",
            "topics.a.headers.forbidden=debug",
            "topics.a.headers.utf8=true",
            "topics.a.key.schema=payload",
            "topics.a.value.schema=either",
            "topics.a.value.schema.ids=7, 100-199, global:5, 8a5b1c0d-1111-2222-3333-444455556666",
            "topics.a.key.starts=hex:00, text:id-",
            "topics.a.value.starts=json-object, json-array, avro",
            "topics.a.key.bytes=1-100",
            "topics.a.value.bytes=0 - 1000",
            "topics.a.timestamps.milliseconds=true");
    PolicySection section = file.sectionOf("payments-eu");
    assertEquals("a", section.name());
    assertEquals(Level.STRICT, section.level());
    assertEquals(Limits.BROKER_DEFAULT.with(Limit.RATIO, 500), section.limits());
    TopicRules rules = section.rules();
    assertEquals(Set.of(Codec.LZ4, Codec.ZSTD), rules.codecs());
    assertTrue(rules.keyRequired() && rules.valueRequired() && rules.headerKeysUtf8());
    assertTrue(rules.millisecondsRequired());
    assertEquals(List.of("trace", "tenant"), rules.requiredHeaders());
    assertEquals(List.of("debug"), rules.forbiddenHeaders());
    assertEquals(SchemaRule.Place.PAYLOAD, Objects.requireNonNull(rules.keySchema()).place());
    assertTrue(Objects.requireNonNull(rules.keySchema()).ids().isAny());
    SchemaRule value = Objects.requireNonNull(rules.valueSchema());
    assertTrue(value.ids().allowsId(7) && value.ids().allowsId(150));
    assertFalse(value.ids().allowsId(200) || value.ids().allowsGlobalId(7));
    assertTrue(value.ids().allowsGlobalId(5));
    assertTrue(value.ids().allowsGuid(0x8a5b1c0d11112222L, 0x3333444455556666L));
    assertEquals(
        List.of(Prefix.of((byte) 0), Prefix.of("id-".getBytes(StandardCharsets.UTF_8))),
        rules.keyStarts());
    assertEquals(3, rules.valueStarts().size());
    assertEquals(new SizeRange(1, 100), rules.keyBytes());
    assertEquals(new SizeRange(0, 1000), rules.valueBytes());
    Policy policy = section.applyTo(Policy.CLIENT.toBuilder().maxBatchBytes(5).build());
    assertEquals(rules, policy.topicRules());
    assertEquals(5, policy.maxBatchBytes());
  }

  @Test
  void sectionsInheritFromTheDefaultSection() throws Exception {
    PolicyFile file =
        load(
            "topics.a.match=a",
            "topics.a.limits.ratio=7",
            "topics.a.value.schema.ids=9",
            "default.observe=true",
            "default.limits=broker-default",
            "default.key.required=true",
            "default.value.schema=header");
    PolicySection section = file.sectionOf("a");
    assertTrue(section.observing());
    assertEquals(Limits.BROKER_DEFAULT.with(Limit.RATIO, 7), section.limits());
    assertTrue(section.rules().keyRequired());
    SchemaRule schema = Objects.requireNonNull(section.rules().valueSchema());
    assertEquals(SchemaRule.Place.HEADER, schema.place());
    assertFalse(schema.ids().allowsId(8));
    assertEquals(Limits.BROKER_DEFAULT, file.sectionOf("b").limits());
    assertEquals(PolicySection.DEFAULT_NAME, file.sectionOf("b").name());
  }

  /** The default section has no schema rule then, and its ids would be lost with the rule. */
  @Test
  void aSectionInheritsSchemaIdsFromADefaultSectionWithoutSchema() throws Exception {
    PolicyFile file =
        load(
            "default.value.schema=none",
            "default.value.schema.ids=17",
            "default.key.schema=none",
            "default.key.schema.ids=18",
            "topics.a.match=a",
            "topics.a.value.schema=payload",
            "topics.b.match=b",
            "topics.b.key.schema=header",
            "topics.b.key.schema.ids=19");
    assertTrue(ids(file, "a").allowsId(17));
    assertFalse(ids(file, "a").allowsId(18));
    SchemaIds ofKeys = Objects.requireNonNull(file.sectionOf("b").rules().keySchema()).ids();
    assertTrue(ofKeys.allowsId(19));
    assertFalse(ofKeys.allowsId(18));
    assertNull(file.sectionOf("b").rules().valueSchema());
    assertNull(file.sectionOf("c").rules().valueSchema());
  }

  @Test
  void theDefaultSectionInheritsFromTheHost() throws Exception {
    PolicySection host =
        new PolicySection(
            PolicySection.DEFAULT_NAME,
            List.of(),
            Level.STRICT,
            false,
            Limits.BROKER_DEFAULT,
            TopicRules.NONE);
    PolicyFile file = PolicyFile.load(write("default.key.required=true"), host);
    assertEquals(Level.STRICT, file.sectionOf("x").level());
    assertEquals(Limits.BROKER_DEFAULT, file.sectionOf("x").limits());
    assertTrue(file.sectionOf("x").rules().keyRequired());
    assertEquals(host, PolicyFile.load(write(""), host).sections().get(0));
  }

  @ParameterizedTest
  @CsvSource({
    "orders-eu-1, exact",
    "orders-eu-2, long",
    "orders-us, short",
    "orders-, short",
    "xorders-, default",
    "a.b.c, middle",
    "a.b.d, default",
    "a.c, middle",
    "log7, one",
    "log, default",
    "log77, default"
  })
  void theMostSpecificPatternWins(String topic, String section) throws Exception {
    PolicyFile file =
        load(
            "topics.short.match=orders-*",
            "topics.long.match=orders-eu-*",
            "topics.exact.match=orders-eu-1",
            "topics.middle.match=a.*c",
            "topics.one.match=log?");
    assertEquals(section, file.sectionOf(topic).name());
  }

  @Test
  void theFirstOfEquallySpecificPatternsWins() throws Exception {
    PolicyFile file = load("topics.x.match=*ab", "topics.y.match=ab*");
    assertEquals("x", file.sectionOf("abab").name());
    assertEquals("y", file.sectionOf("abc").name());
  }

  // ---- mistakes

  @Test
  void mistakesNameLineKeyAndLegalValues() throws IOException {
    assertProblem(2, "default.level", "kafka or strict", "# comment", "default.level=paranoid");
    assertProblem(1, "default.observe", "true or false", "default.observe=yes");
    assertProblem(1, "default.limits", Limits.PRESET_NAMES, "default.limits=none");
    assertProblem(1, "default.limits.ratio", "a whole number", "default.limits.ratio=0");
    assertProblem(1, "default.codecs", "gzip", "default.codecs=lzo");
    assertProblem(1, "default.codecs", "gzip", "default.codecs=");
    assertProblem(1, "default.value.schema", "payload", "default.value.schema=body");
    assertProblem(1, "default.value.starts", "hex:", "default.value.starts=xml");
    assertProblem(1, "default.key.bytes", "1-1000", "default.key.bytes=9-1");
    assertProblem(1, "default.key.bytes", "1-1000", "default.key.bytes=1-2147483648");
    assertProblem(1, "default.size", "unknown key", "default.size=1");
    assertProblem(1, "default.match", "unknown key", "default.match=a");
    assertProblem(1, "level", "default.KEY", "level=kafka");
    assertProblem(1, "topics.default.level", "default.KEY", "topics.default.level=kafka");
    assertProblem(2, "default.level", "twice", "default.level=kafka", "default.level=kafka");
    assertProblem(1, "topics.a", "no match", "topics.a.level=kafka");
    assertProblem(1, "topics.a.match", "no topic", "topics.a.match=a b");
    assertProblem(
        2, "topics.b.match", "in section a already", "topics.a.match=x*", "topics.b.match=x*");
    assertProblem(
        2, "default.observe", "for level=kafka", "default.level=strict", "default.observe=true");
    assertProblem(
        1, "default.value.schema.ids", "needs value.schema", "default.value.schema.ids=7");
    assertProblem(3, "default.codecs", "gzip", "", "default.codecs=none, \\", "lzo");
  }

  @Test
  void allMistakesAreListed() throws IOException {
    List<PolicyProblem> problems = problems("default.level=x", "default.observe=y", "z=1");
    assertEquals(3, problems.size());
    assertEquals(
        folder.resolve("policy.properties") + ":3: z: " + problems.get(0).message(),
        problems.get(0).toString());
  }

  @Test
  void headersThatContradictEachOther() throws IOException {
    assertTrue(
        problems("default.headers.required=a", "default.headers.forbidden=a")
            .get(0)
            .message()
            .contains("required and forbidden"));
  }

  @Test
  void missingFile() {
    Path none = folder.resolve("none.properties");
    PolicyFileException thrown =
        assertThrows(PolicyFileException.class, () -> PolicyFile.load(none));
    assertEquals(none.toString(), thrown.problems().get(0).file());
  }

  @ParameterizedTest
  @ValueSource(strings = {"default.level=\\u00zz", "\uFEFFdefault.level=x"})
  void oddText(String line) throws IOException {
    assertFalse(problems(line).isEmpty());
  }

  // ---- files of schema ids

  @Test
  void idsFromAFile() throws Exception {
    Files.write(folder.resolve("ids.txt"), List.of("# ids of the team", "", "17", "20-29"));
    PolicyFile file =
        load("default.value.schema=payload", "default.value.schema.ids=3, file:ids.txt");
    SchemaRule schema = Objects.requireNonNull(file.sectionOf("x").rules().valueSchema());
    assertTrue(schema.ids().allowsId(3) && schema.ids().allowsId(17) && schema.ids().allowsId(29));
    assertFalse(schema.ids().allowsId(30));
  }

  @Test
  void mistakesInAFileOfIds() throws IOException {
    Files.write(folder.resolve("ids.txt"), List.of("17", "seventeen"));
    List<PolicyProblem> problems =
        problems("default.value.schema=payload", "default.value.schema.ids=file:ids.txt");
    assertEquals(1, problems.size());
    assertEquals(2, problems.get(0).line());
    assertTrue(problems.get(0).file().endsWith("ids.txt"));
    assertEquals(
        2,
        problems("default.value.schema=payload", "default.value.schema.ids=file:x").get(0).line());
  }

  // ---- hostile files

  @Test
  void globsTakeLinearSteps() throws Exception {
    PolicyFile file = load("topics.a.match=" + "*a".repeat(123) + "*b");
    String topic = "a".repeat(TopicPattern.MAX_LENGTH);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          for (int i = 0; i < 1000; i++) {
            assertEquals(PolicySection.DEFAULT_NAME, file.sectionOf(topic).name());
          }
        });
  }

  @Test
  void manySectionsAndIds() throws Exception {
    StringBuilder ids = new StringBuilder();
    for (int i = 0; i < 1_000_000; i++) {
      ids.append(2 * i).append('\n');
    }
    Files.writeString(folder.resolve("ids.txt"), ids);
    String[] lines = new String[PolicyFile.MAX_SECTIONS];
    for (int i = 0; i < lines.length - 1; i++) {
      lines[i] = "topics.s" + i + ".match=*t" + i;
    }
    lines[lines.length - 1] = "default.value.schema=header\ndefault.value.schema.ids=file:ids.txt";
    PolicyFile file = load(lines);
    assertEquals(PolicyFile.MAX_SECTIONS, file.sections().size());
    assertEquals("s9998", file.sectionOf("at9998").name());
    SchemaRule rule = Objects.requireNonNull(file.sectionOf("at77").rules().valueSchema());
    assertTrue(rule.ids().allowsId(1_999_998));
    assertFalse(rule.ids().allowsId(1_999_999));
    assertSame(rule.ids(), Objects.requireNonNull(file.sectionOf("x").rules().valueSchema()).ids());
  }

  @Test
  void tooManySections() throws IOException {
    String[] lines = new String[PolicyFile.MAX_SECTIONS];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = "topics.s" + i + ".match=t" + i + "-*";
    }
    assertProblem(lines.length, "topics.s9999.match", "more than 10000 sections", lines);
  }

  private static String list(String start, int count, String end) {
    return IntStream.range(0, count)
        .mapToObj(i -> start + i + end)
        .collect(Collectors.joining(","));
  }

  @Test
  void tooManyPatterns() throws Exception {
    String most = "topics.a.match=" + list("t", PolicyFile.MAX_PATTERNS, "-*");
    assertEquals("a", load(most + ", name").sectionOf("t7-x").name());
    assertProblem(1, "topics.a.match", "more than 10000 patterns", most + ",x*,y*");
  }

  @Test
  void tooManyTopics() throws Exception {
    String most = "topics.a.match=" + list("t", PolicyFile.MAX_TOPICS, "");
    assertEquals("a", load(most).sectionOf("t77").name());
    assertProblem(1, "topics.a.match", "more than 100000 topics", most + ",x,y");
  }

  @Test
  void tooManyFirstBytes() throws Exception {
    String most = "default.value.starts=" + list("text:a", Prefix.MAX_PREFIXES, "");
    assertEquals(64, load(most).sectionOf("t").rules().valueStarts().size());
    assertProblem(1, "default.value.starts", "more than 64 first bytes", most + ",avro");
    assertProblem(
        1,
        "default.key.starts",
        "more than 64 first bytes",
        most.replace("value.", "key.") + ",avro");
  }

  @Test
  void tooManyIdsInAllSectionsTogether() throws Exception {
    Files.writeString(folder.resolve("ids.txt"), "1\n".repeat(SchemaIds.MAX_ENTRIES));
    String[] lines = {
      "default.value.schema=payload",
      "default.value.schema.ids=file:ids.txt",
      "topics.a.match=a",
      "topics.a.value.schema.ids=file:ids.txt"
    };
    lines[3] += ", 2";
    assertProblem(4, "topics.a.value.schema.ids", "more than 4000000 schema ids", lines);
  }

  @Test
  void equalListsShareASet() throws Exception {
    Files.writeString(folder.resolve("ids.txt"), "5\n7-9\n");
    PolicyFile file =
        load(
            "default.value.schema=payload",
            "topics.a.match=a",
            "topics.a.value.schema.ids=file:ids.txt",
            "topics.b.match=b",
            "topics.b.value.schema.ids=file:ids.txt");
    assertSame(ids(file, "a"), ids(file, "b"));
    assertEquals("2 ids, 0 GUIDs, 0 global ids", ids(file, "a").toString());
  }

  private static SchemaIds ids(PolicyFile file, String topic) {
    return Objects.requireNonNull(file.sectionOf(topic).rules().valueSchema()).ids();
  }

  @Test
  void tooManyFilesOfIds() throws Exception {
    for (int i = 0; i <= SchemaIdSets.MOST_FILES; i++) {
      Files.writeString(folder.resolve("ids" + i), "1\n");
    }
    String most = "default.value.schema.ids=" + list("file:ids", SchemaIdSets.MOST_FILES, "");
    assertEquals(
        SchemaIdSets.MOST_FILES + 1, load("default.value.schema=header", most).files().size());
    assertProblem(
        2,
        "default.value.schema.ids",
        "more than 1000 files",
        "default.value.schema=header",
        most + ", file:ids1000");
  }

  @Test
  void pathsThatCannotBeRead() throws IOException {
    String schema = "default.value.schema=header";
    String path = "default.value.schema.ids=file:";
    assertProblem(2, "default.value.schema.ids", "cannot read", schema, path + "a\\u0000b");
    Files.write(folder.resolve("latin1"), new byte[] {'1', (byte) 0xe4});
    for (String name : List.of(".", "none", "latin1")) {
      List<PolicyProblem> problems = problems(schema, path + name);
      assertTrue(problems.get(0).message().contains("cannot read"), problems::toString);
    }
  }

  @Test
  void largeFilesAreNotReadToTheEnd() throws IOException {
    List<PolicyProblem> problems = problems("z=1\n".repeat(1_000_000));
    assertEquals(PolicyProblems.MOST, problems.size());
    assertEquals(PolicyProblems.MOST, problems.get(PolicyProblems.MOST - 1).line());
    assertProblem(0, "", "more than 16777216 bytes", "#".repeat(17 << 20));
  }

  @Test
  void longValuesAreShownInPart() throws IOException {
    String value = "x".repeat(1 << 20);
    List<PolicyProblem> problems =
        problems(
            "default.codecs=" + value,
            "default.level=" + value + "y",
            "default." + value + "=1",
            "topics.a.match=" + value,
            "default.value.starts=" + value);
    assertEquals(5, problems.size());
    problems.forEach(problem -> assertTrue(problem.toString().length() < 2_000));
    assertTrue(problems.get(0).message().contains("more than 1048576 characters"));
  }
}
