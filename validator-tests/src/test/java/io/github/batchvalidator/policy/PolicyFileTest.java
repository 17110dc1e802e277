// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
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
    assertEquals(Set.of(Codec.LZ4, Codec.ZSTD), rules.get(TopicRule.CODECS));
    assertTrue(
        rules.get(TopicRule.KEY_REQUIRED)
            && rules.get(TopicRule.VALUE_REQUIRED)
            && rules.get(TopicRule.HEADERS_UTF8));
    assertTrue(rules.get(TopicRule.TIMESTAMPS_MILLISECONDS));
    assertEquals(List.of("trace", "tenant"), rules.get(TopicRule.HEADERS_REQUIRED));
    assertEquals(List.of("debug"), rules.get(TopicRule.HEADERS_FORBIDDEN));
    assertEquals(SchemaPlace.PAYLOAD, rules.get(TopicRule.KEY_SCHEMA));
    assertTrue(rules.get(TopicRule.KEY_SCHEMA_IDS).isAny());
    assertEquals(SchemaPlace.EITHER, rules.get(TopicRule.VALUE_SCHEMA));
    SchemaIds value = rules.get(TopicRule.VALUE_SCHEMA_IDS);
    assertTrue(value.allowsId(7) && value.allowsId(150));
    assertFalse(value.allowsId(200) || value.allowsGlobalId(7));
    assertTrue(value.allowsGlobalId(5));
    assertTrue(value.allowsGuid(0x8a5b1c0d11112222L, 0x3333444455556666L));
    assertEquals(
        List.of(Prefix.of((byte) 0), Prefix.of("id-".getBytes(StandardCharsets.UTF_8))),
        rules.get(TopicRule.KEY_STARTS));
    assertEquals(3, rules.get(TopicRule.VALUE_STARTS).size());
    assertEquals(new SizeRange(1, 100), rules.get(TopicRule.KEY_BYTES));
    assertEquals(new SizeRange(0, 1000), rules.get(TopicRule.VALUE_BYTES));
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
    assertTrue(section.rules().get(TopicRule.KEY_REQUIRED));
    assertEquals(SchemaPlace.HEADER, section.rules().get(TopicRule.VALUE_SCHEMA));
    assertFalse(ids(file, "a").allowsId(8));
    assertEquals(Limits.BROKER_DEFAULT, file.sectionOf("b").limits());
    assertEquals(PolicySection.DEFAULT_NAME, file.sectionOf("b").name());
  }

  private static Level levelOf(PolicyFile file, String topic, boolean compacted) {
    Policy of = Policy.CLIENT.toBuilder().compactedTopic(compacted).build();
    return file.sectionOf(topic).applyTo(of).level();
  }

  @Test
  void compactedTopicsMayHaveALevelOfTheirOwn() throws Exception {
    PolicyFile file =
        load(
            "default.compacted.level=strict",
            "topics.own.match=own",
            "topics.own.compacted.level=kafka",
            "topics.limited.match=limited",
            "topics.limited.limits.ratio=7",
            "topics.watched.match=watched",
            "topics.watched.observe=true");
    for (String topic : List.of("a", "own", "limited", "watched", "__x")) {
      assertEquals(Level.KAFKA, levelOf(file, topic, false), topic);
    }
    assertEquals(Level.STRICT, levelOf(file, "a", true));
    assertEquals(Level.STRICT, levelOf(file, "limited", true), "inherited");
    assertEquals(Level.KAFKA, levelOf(file, "own", true));
    assertEquals(Level.KAFKA, levelOf(file, "watched", true), "it observes");
    assertEquals(Level.KAFKA, levelOf(file, "__x", true), "internal");
    assertEquals("strict", file.sectionOf("a").settings().get("compacted.level"));
  }

  @Test
  void compactedTopicsHaveTheLevelOfTheSectionOtherwise() throws Exception {
    PolicyFile file = load("default.level=strict", "topics.a.match=a", "topics.a.level=kafka");
    assertEquals(Level.STRICT, levelOf(file, "b", true));
    assertEquals(Level.KAFKA, levelOf(file, "a", true));
    assertEquals("kafka", file.sectionOf("a").settings().get("compacted.level"));
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
    SchemaIds ofKeys = file.sectionOf("b").rules().get(TopicRule.KEY_SCHEMA_IDS);
    assertTrue(ofKeys.allowsId(19));
    assertFalse(ofKeys.allowsId(18));
    assertFalse(file.sectionOf("b").rules().isInEffect(TopicRule.VALUE_SCHEMA_IDS));
    assertTrue(file.sectionOf("c").rules().isNone());
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
    assertTrue(file.sectionOf("x").rules().get(TopicRule.KEY_REQUIRED));
    PolicyFile unset = PolicyFile.load(write("topics.a.match=a"), host);
    assertEquals(host, unset.sections().get(0));
    assertEquals(host, unset.ofHost());
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

  /** Section x is the first that occurs, but the pattern of y is in an earlier line. */
  @Test
  void equallySpecificPatternsFollowTheOrderOfLines() throws Exception {
    PolicyFile file = load("topics.x.level=strict", "topics.y.match=ab*", "topics.x.match=*ab");
    assertEquals("y", file.sectionOf("abab").name());
    assertEquals("x", file.sectionOf("cab").name());
  }

  // ---- topics of the cluster

  @Test
  void internalTopicsNeedASectionThatNamesThem() throws Exception {
    PolicyFile file =
        load(
            "default.key.required=true",
            "default.level=strict",
            "topics.all.match=*",
            "topics.some.match=*metadata, _*, ?_remote_log_metadata, *__*",
            "topics.exact.match=__transaction_state",
            "topics.internal.match=__share*");
    for (String topic :
        List.of(
            "__remote_log_metadata", "__consumer_offsets", "__cluster_metadata", "__", "__x__")) {
      assertEquals(PolicySection.KAFKA, file.sectionOf(topic), topic);
    }
    assertEquals("exact", file.sectionOf("__transaction_state").name());
    assertEquals("internal", file.sectionOf("__share_group_state").name());
    assertTrue(file.sectionOf("__share_group_state").rules().get(TopicRule.KEY_REQUIRED));
    assertEquals("some", file.sectionOf("_schemas").name());
    assertEquals("some", file.sectionOf("x__y").name());
  }

  @Test
  void internalTopicsHaveTheSettingsOfTheHost() throws Exception {
    PolicySection host =
        new PolicySection(
            PolicySection.DEFAULT_NAME,
            List.of(),
            Level.STRICT,
            false,
            Limits.BROKER_DEFAULT,
            TopicRules.NONE);
    PolicyFile file = PolicyFile.load(write("default.level=kafka"), host);
    assertEquals(host, file.sectionOf("__consumer_offsets"));
    assertEquals(Level.KAFKA, file.sectionOf("consumer_offsets").level());
  }

  @Test
  void warningsNameTheTopicsOfToolsThatEnforcedRulesReach() throws Exception {
    List<String> warnings = load("default.key.required=true").warnings();
    assertEquals(6, warnings.size(), warnings::toString);
    assertEquals(
        "_schemas of Schema Registry gets the enforced rules of section default; name it in a"
            + " section of its own",
        warnings.get(0));
    assertEquals(
        "topics *-changelog of Kafka Streams may get the enforced rules of section default; add a"
            + " section with match=*-changelog",
        warnings.get(4));
    List<String> wildcards =
        load("topics.a.match=orders-*", "topics.a.codecs=lz4", "topics.b.match=connect-*")
            .warnings();
    assertEquals(2, wildcards.size(), wildcards::toString);
    assertTrue(wildcards.get(1).startsWith("topics *-repartition of Kafka Streams may get"));
    assertTrue(wildcards.get(1).contains("section a;"), wildcards::toString);
  }

  @Test
  void nothingIsWarnedAboutIfTheFileNamesTheTopicsOrObserves() throws Exception {
    assertEquals(List.of(), load("default.key.required=true", "default.observe=true").warnings());
    assertEquals(List.of(), load("default.level=strict", "topics.a.match=*").warnings());
    assertEquals(
        List.of(),
        load(
                "default.key.required=true",
                "topics.tools.match=_schemas, connect-configs, connect-offsets, connect-status",
                "topics.streams.match=*-changelog, *-repartition",
                "topics.streams.key.required=false")
            .warnings());
  }

  /** The pattern with more characters wins, also if the other one is written for these topics. */
  @Test
  void aPatternForTopicsOfStreamsCountsOnlyWhereItWins() throws Exception {
    String[] rules = {
      "topics.a.match=orders-service-*, pay-?-*",
      "topics.a.key.required=true",
      "topics.b.match=orders-*",
      "topics.b.codecs=lz4",
      "topics.streams.match=*-changelog, *-repartition, other-service-*-changelog"
    };
    assertEquals(
        List.of(
            "topics *-changelog of Kafka Streams may get the enforced rules of section a; add a"
                + " section with match=orders-service-*-changelog",
            "topics *-repartition of Kafka Streams may get the enforced rules of section a; add a"
                + " section with match=orders-service-*-repartition"),
        load(rules).warnings());
    String streams = rules[4] + ", orders-service-*-changelog, orders-service-*-repartition";
    rules[4] = "topics.streams.match=other";
    assertEquals(
        "topics *-changelog of Kafka Streams may get the enforced rules of sections a, b; add a"
            + " section with match=orders-service-*-changelog, orders-*-changelog,"
            + " pay-?-*-changelog",
        load(rules).warnings().get(0));
    rules[4] = streams;
    PolicyFile file = load(rules);
    assertEquals(List.of(), file.warnings());
    assertEquals("streams", file.sectionOf("orders-service-store-changelog").name());
    rules[3] = "topics.streams.codecs=lz4";
    assertEquals(List.of(), load(rules).warnings(), "rules that are written for these topics");
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
    assertProblem(1, "topics.a.match", "a list of topics", "topics.a.match=");
    assertProblem(1, "topics.a.match", "a list of topics", "topics.a.match= , ");
    assertProblem(
        2, "topics.b.match", "in section a already", "topics.a.match=x*", "topics.b.match=x*");
    assertProblem(
        2, "default.observe", "for level=kafka", "default.level=strict", "default.observe=true");
    assertProblem(
        1, "default.value.schema.ids", "needs value.schema", "default.value.schema.ids=7");
    assertProblem(3, "default.codecs", "gzip", "", "default.codecs=none, \\", "lzo");
  }

  @Test
  void aSectionMayHaveTheLongestNameOfATopic() throws Exception {
    String name = "a".repeat(TopicPattern.MAX_LENGTH);
    assertEquals(name, load("topics." + name + ".match=b").sectionOf("b").name());
    PolicyProblem problem = problems("topics.a" + name + ".match=b").get(0);
    assertTrue(problem.message().contains("SECTION has 1 to 249 letters"), problem::toString);
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

  /** As a file is that was cut to nothing while it was replaced. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# Rules of the topics\n", "\uFEFF"})
  void aFileWithoutAnEntryIsAMistake(String text) throws IOException {
    assertProblem(0, "", "has no entry", text);
  }

  @Test
  void bytesThatAreNotUtf8AreAMistakeInTheirLine() throws IOException {
    Path file = folder.resolve("policy.properties");
    Files.write(file, "default.observe=true\n# \u00e4\n".getBytes(StandardCharsets.ISO_8859_1));
    PolicyFileException thrown =
        assertThrows(PolicyFileException.class, () -> PolicyFile.load(file));
    assertEquals(
        file + ":2: cannot read the file: a byte is not UTF-8",
        thrown.problems().get(0).toString());
  }

  /** To open a named pipe without a writer blocks for ever. */
  @Test
  void aNamedPipeIsRefusedAndDoesNotBlock() throws Exception {
    Path pipe = folder.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no mkfifo");
    PolicyFileException thrown =
        assertTimeoutPreemptively(
            Duration.ofSeconds(10),
            () -> assertThrows(PolicyFileException.class, () -> PolicyFile.load(pipe)));
    assertTrue(thrown.toString().contains("not a regular file"), thrown::toString);
    List<PolicyProblem> problems =
        assertTimeoutPreemptively(
            Duration.ofSeconds(10),
            () ->
                problems("default.value.schema=payload", "default.value.schema.ids=17, file:pipe"));
    assertTrue(problems.get(0).message().contains("not a regular file"), problems::toString);
    assertFalse(assertTimeoutPreemptively(Duration.ofSeconds(10), thrown::hasFileChanged));
    Files.delete(pipe);
    assertTrue(thrown.hasFileChanged());
  }

  // ---- changes

  @Test
  void aChangeIsNoticedByContent() throws Exception {
    Path ids = Files.writeString(folder.resolve("ids.txt"), "17\n");
    PolicyFile file = load("default.value.schema=payload", "default.value.schema.ids=file:ids.txt");
    assertFalse(file.hasFileChanged());
    FileTime time = Files.getLastModifiedTime(ids);
    Files.writeString(ids, "18\n");
    Files.setLastModifiedTime(ids, time);
    assertTrue(file.hasFileChanged());
    Files.writeString(ids, "17\n");
    assertFalse(file.hasFileChanged(), "the content is the one that was loaded");
    Files.delete(ids);
    assertTrue(file.hasFileChanged());
  }

  /** The digest is made of chunks, and the change is in the last one. */
  @Test
  void aChangeAtTheEndOfALargeFileIsNoticed() throws Exception {
    String comment = "#".repeat(1 << 20);
    Path path = write("default.observe=true", comment, "default.headers.utf8=true");
    PolicyFile file = PolicyFile.load(path);
    assertFalse(file.hasFileChanged());
    write("default.observe=true", comment, "default.headers.utf8=frue");
    assertTrue(file.hasFileChanged());
  }

  /** The bytes beyond the limit change nothing, and a file is not read again because of them. */
  @Test
  void aFileThatIsTooLargeIsUnchangedUntilItIsChanged() throws Exception {
    Path file = write("#".repeat((int) PolicyParser.MOST_BYTES + 1000));
    PolicyFileException thrown =
        assertThrows(PolicyFileException.class, () -> PolicyFile.load(file));
    assertFalse(thrown.hasFileChanged());
    write("default.observe=true");
    assertTrue(thrown.hasFileChanged());
  }

  // ---- files of schema ids

  @Test
  void idsFromAFile() throws Exception {
    Files.write(folder.resolve("ids.txt"), List.of("# ids of the team", "", "17", "20-29"));
    PolicyFile file =
        load("default.value.schema=payload", "default.value.schema.ids=3, file:ids.txt");
    SchemaIds ids = ids(file, "x");
    assertTrue(ids.allowsId(3) && ids.allowsId(17) && ids.allowsId(29));
    assertFalse(ids.allowsId(30));
    assertEquals(List.of(Path.of("ids.txt")), file.idFiles());
  }

  @Test
  void mistakesInAFileOfIds() throws IOException {
    Files.write(folder.resolve("ids.txt"), List.of("17", "seventeen"));
    List<PolicyProblem> problems =
        problems("default.value.schema=payload", "default.value.schema.ids=file:ids.txt");
    assertEquals(1, problems.size());
    assertEquals(2, problems.get(0).line());
    assertTrue(problems.get(0).file().endsWith("ids.txt"));
    Files.write(folder.resolve("ids.txt"), List.of("17", "200-100", "x"));
    problems = problems("default.value.schema=payload", "default.value.schema.ids=file:ids.txt");
    assertEquals(2, problems.size(), problems::toString);
    for (int i = 0; i < 2; i++) {
      assertTrue(problems.get(i).file().endsWith("ids.txt"), problems::toString);
      assertEquals(i + 2, problems.get(i).line());
    }
    Files.write(
        folder.resolve("ids.txt"), "17\n18\n\u00e4\n19".getBytes(StandardCharsets.ISO_8859_1));
    problems = problems("default.value.schema=payload", "default.value.schema.ids=file:ids.txt");
    assertEquals(
        folder.resolve("ids.txt") + ":3: cannot read the file: a byte is not UTF-8",
        problems.get(0).toString());
  }

  @Test
  void aFileOfIdsThatIsMissingIsAMistakeInThePolicyFile() throws IOException {
    PolicyProblem problem =
        problems("default.value.schema=payload", "default.value.schema.ids=file:x").get(0);
    assertEquals(2, problem.line());
    assertTrue(problem.file().endsWith("policy.properties"), problem::toString);
    assertTrue(problem.message().contains(folder.resolve("x").toString()), problem::toString);
  }

  /** Other ids of the list do not make up for it. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "# ids of the team\n"})
  void aFileOfIdsWithoutAnIdIsAMistake(String text) throws IOException {
    Files.writeString(folder.resolve("ids.txt"), text);
    PolicyProblem problem =
        problems("default.value.schema=payload", "default.value.schema.ids=17, file:ids.txt")
            .get(0);
    assertTrue(problem.file().endsWith("ids.txt"), problem::toString);
    assertTrue(problem.message().contains("has no id"), problem::toString);
  }

  @Test
  void tooManyIdsAreAMistakeInTheirLine() throws Exception {
    Files.writeString(folder.resolve("ids.txt"), "1\n".repeat(SchemaIds.MAX_ENTRIES) + "2\n3\n");
    List<PolicyProblem> problems =
        problems("default.value.schema=payload", "default.value.schema.ids=file:ids.txt");
    assertEquals(1, problems.size(), problems::toString);
    assertEquals(
        folder.resolve("ids.txt") + ":4000001: more than 4000000 schema ids",
        problems.get(0).toString());
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
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1_000_000; i++) {
      text.append(2 * i).append('\n');
    }
    Files.writeString(folder.resolve("ids.txt"), text);
    String[] lines = new String[PolicyFile.MAX_SECTIONS];
    for (int i = 0; i < lines.length - 1; i++) {
      lines[i] = "topics.s" + i + ".match=*t" + i;
    }
    lines[lines.length - 1] = "default.value.schema=header\ndefault.value.schema.ids=file:ids.txt";
    PolicyFile file = load(lines);
    assertEquals(PolicyFile.MAX_SECTIONS, file.sections().size());
    assertEquals("s9998", file.sectionOf("at9998").name());
    SchemaIds ids = ids(file, "at77");
    assertTrue(ids.allowsId(1_999_998));
    assertFalse(ids.allowsId(1_999_999));
    assertSame(ids, ids(file, "x"));
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
    assertEquals(64, load(most).sectionOf("t").rules().get(TopicRule.VALUE_STARTS).size());
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
    List<PolicyProblem> problems = problems(lines);
    assertEquals(1, problems.size(), problems::toString);
    assertEquals(
        folder.resolve("ids.txt") + ":1: more than 4000000 schema ids",
        problems.get(0).toString(),
        "the first id of the second list");
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
    return file.sectionOf(topic).rules().get(TopicRule.VALUE_SCHEMA_IDS);
  }

  @Test
  void tooManyFilesOfIds() throws Exception {
    for (int i = 0; i <= SchemaIdSets.MOST_FILES; i++) {
      Files.writeString(folder.resolve("ids" + i), "1\n");
    }
    String most = "default.value.schema.ids=" + list("file:ids", SchemaIdSets.MOST_FILES, "");
    assertTrue(ids(load("default.value.schema=header", most), "t").allowsId(1));
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
