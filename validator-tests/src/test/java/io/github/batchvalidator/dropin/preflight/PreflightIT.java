// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The preflight: passes what works, and finds every start-up error that the documents describe. */
class PreflightIT {
  private static final Path DOCS = Path.of("..", "docs");
  private static final String LINE = "4.3";
  private static final String VERSION = "4.3.1";
  private static final Pattern ROW =
      Pattern.compile("^\\| ([^|]+) \\| `validator-dropin-kafka-([\\d.]+)` \\| ([^|]+) \\|.*$");
  private static final Pattern VARIABLE =
      Pattern.compile(
          "^(?:ENV |Environment=\"?)(?:BATCHVALIDATOR_OPTS|(CLASSPATH|KAFKA_OPTS))=\"?([^\"\n]+)",
          Pattern.MULTILINE);

  private static final String COMPACTED = "note  Policy       compacted topics have level kafka";

  @TempDir(factory = InBuild.class)
  private Path folder;

  private static final class InBuild implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
        throws IOException {
      return Files.createTempDirectory(Lines.build(), "preflight");
    }
  }

  /** Returns a broker with the jars that matter to the preflight. It reads all jars. */
  private Installation broker() throws IOException {
    return Installation.of(folder, LINE, Lines.kafka(VERSION));
  }

  private Installation wholeBroker() throws IOException {
    return Installation.of(folder, LINE, Lines.jars().stock(LINE));
  }

  private static void assertPasses(Installation.Answer answer) {
    assertEquals(0, answer.exit(), answer.text());
    assertTrue(answer.text().endsWith("\nNothing to fix.\n"), answer.text());
  }

  private static void assertNames(String expected, Installation.Answer answer) {
    assertTrue(answer.text().contains(expected), answer.text());
  }

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void passesEachVersion(String version) throws Exception {
    Installation installed = Installation.of(folder, Lines.lineOf(version), Lines.kafka(version));
    Installation.Answer answer = installed.preflight();
    assertPasses(answer);
    assertNames(" " + version + ", tested with this jar\n", answer);
    for (String library : List.of("zstd-jni-", "lz4-java-", "snappy-java-")) {
      assertNames(" by " + library, answer);
    }
  }

  @Test
  void passesAWholeBrokerWithAgentSettingsAndPolicy() throws Exception {
    Path policy = folder.resolve("policy.properties");
    Files.writeString(policy, "topics.orders.match=orders\n");
    Installation installed =
        wholeBroker()
            .with("KAFKA_HEAP_OPTS", "-Xms512m -Xmx1g")
            .with(
                "KAFKA_OPTS",
                "--add-modules java.se -Dbatchvalidator.observe=true " + Lines.jars().agent())
            .given("--policy", policy.toString());
    Installation.Answer answer = installed.preflight();
    assertPasses(answer);
    assertNames("batchvalidator.observe=true\n", answer);
    assertNames("policy.properties has 2 sections\n", answer);
    assertNames(" knows this broker's UnifiedLog\n", answer);
  }

  @Test
  void passesRecoveryByTheAgent() throws Exception {
    Installation.Answer answer =
        broker()
            .with("KAFKA_OPTS", "-Dbatchvalidator.stored.recovery=enforce " + Lines.jars().agent())
            .preflight();
    assertPasses(answer);
    assertNames("recovery: the code is that of Kafka 4.3.1\n", answer);
  }

  @Test
  void triesHardLinksInTheLogDirectories() throws Exception {
    Path server = folder.resolve("server.properties");
    Path logs = Files.createDirectories(folder.resolve("logs"));
    Files.writeString(server, "log.dirs=" + logs + "\n");
    Installation installed =
        broker()
            .with(
                "KAFKA_OPTS",
                "-Dbatchvalidator.stored.recovery=enforce -Dbatchvalidator.stored.keep=enforce "
                    + Lines.jars().agent());
    Installation.Answer unknown = installed.preflight();
    assertPasses(unknown);
    assertNames("recovery, keep: the code is that of Kafka 4.3.1\n", unknown);
    assertNames("note  Agent        the place of kept files was not tried", unknown);
    Installation.Answer tried =
        installed.given("--server-properties", server.toString()).preflight();
    assertPasses(tried);
    assertNames("keep: hard links work from " + logs + " to " + logs, tried);
    Files.writeString(logs.resolve("batchvalidator-kept-t-0"), "12345");
    installed.with(
        "KAFKA_OPTS",
        "-Dbatchvalidator.stored.keep=enforce -Dbatchvalidator.stored.keep.quota=5 "
            + Lines.jars().agent());
    Installation.Answer full = installed.preflight();
    assertEquals(1, full.exit(), full.text());
    assertNames("FIX   Agent        the quota of 5 bytes is used up in " + logs, full);
  }

  @Test
  void findsWrongSettingsOfRecovery() throws Exception {
    String agent = Lines.jars().agent();
    Installation.Answer wrong =
        broker().with("KAFKA_OPTS", "-Dbatchvalidator.stored.recovery=on " + agent).preflight();
    assertNames("FIX   Agent        batchvalidator.stored.recovery is on, legal is", wrong);
  }

  @Test
  void findsRecoveryWithoutTheAgent() throws Exception {
    Installation.Answer unused =
        broker().with("KAFKA_OPTS", "-Dbatchvalidator.stored.recovery=enforce").preflight();
    assertNames("batchvalidator.stored.* has no effect without the agent", unused);
  }

  @Test
  void findsKeptCutsInAFileWithoutTheAgent() throws Exception {
    Path file = folder.resolve("settings");
    Files.writeString(file, "batchvalidator.stored.keep=enforce\n");
    Installation.Answer unused =
        broker().with("KAFKA_OPTS", "-Dbatchvalidator.config=" + file).preflight();
    assertNames("batchvalidator.stored.* has no effect without the agent", unused);
  }

  /** Wrappers of start scripts append to variables. */
  @Test
  void findsAMistakeInTheLastOfSeveralDefinitions() throws Exception {
    String twice = "-Dbatchvalidator.level=kafka -Dbatchvalidator.level=strikt";
    Installation.Answer wrong = broker().with("KAFKA_OPTS", twice).preflight();
    assertNames("batchvalidator.level is strikt", wrong);
  }

  @Test
  void passesTheLastOfSeveralDefinitions() throws Exception {
    String twice = "-Dbatchvalidator.level=strikt -Dbatchvalidator.level=strict";
    Installation.Answer answer = wholeBroker().with("KAFKA_OPTS", twice).preflight();
    assertPasses(answer);
    assertNames("batchvalidator.level=strict\n", answer);
  }

  @Test
  void passesShadowModeAndSaysWhatTheAgentDoesNotDo() throws Exception {
    Installation.Answer answer =
        wholeBroker()
            .with("KAFKA_OPTS", "-Dbatchvalidator.shadow=true " + Lines.jars().agent())
            .preflight();
    assertPasses(answer);
    assertNames("runs in the shadow of the LogValidator in ", answer);
    assertNames("note  Agent        inspects nothing before the lock", answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"docker/Dockerfile", "strimzi/Dockerfile", "systemd/batchvalidator.conf"})
  void passesTheVariablesOfTheRecipes(String recipe) throws Exception {
    Installation installed = broker();
    Path opt = Files.createDirectory(folder.resolve("batchvalidator"));
    Files.createLink(opt.resolve("validator-dropin-kafka-4.3.jar"), Lines.jar(LINE));
    try (Stream<Path> exporter = Files.list(Lines.build().resolve("jmx-exporter"))) {
      for (Path jar : exporter.toList()) {
        Files.createLink(opt.resolve(jar.getFileName()), jar);
      }
    }
    String text = Files.readString(DOCS.resolveSibling("deploy").resolve(recipe));
    int variables = 0;
    for (MatchResult variable : VARIABLE.matcher(text).results().toList()) {
      String name = variable.group(1) == null ? "KAFKA_OPTS" : variable.group(1);
      installed.with(name, variable.group(2).replace("/opt/batchvalidator", opt.toString()));
      variables++;
    }
    assertEquals(2, variables);
    assertPasses(installed.preflight());
  }

  @ParameterizedTest
  @EnumSource
  void findsWhatADocumentDescribes(StartUpError error) throws Exception {
    String page = Files.readString(DOCS.resolve(error.page()));
    assertTrue(page.contains(error.words()), error.page() + ": " + error.words());
    Installation installed = broker();
    error.make(installed);
    Installation.Answer answer = installed.preflight();
    assertEquals(1, answer.exit(), answer.text());
    assertTrue(
        answer
            .text()
            .replaceAll("\n {19}", " ")
            .lines()
            .anyMatch(line -> line.startsWith("FIX ") && line.contains(error.expected())),
        answer.text());
  }

  /** A row that is added to the table of errors needs a line above. */
  @Test
  void knowsEachRowOfTheErrorsAfterTheFirstAppend() throws IOException {
    List<String> rows =
        Files.readAllLines(DOCS.resolve("rollout.md")).stream()
            .dropWhile(line -> !line.startsWith("| the log has, after the first append"))
            .skip(3) // heading, rule and the row without an error
            .takeWhile(line -> line.startsWith("| "))
            .map(line -> line.split("\\|", -1)[1].strip())
            .toList();
    assertEquals(6, rows.size(), rows::toString);
    for (String row : rows) {
      assertTrue(
          List.of(StartUpError.values()).stream().anyMatch(error -> error.words().equals(row)),
          row);
    }
  }

  @Test
  void findsTheJarOfAnotherLine() throws Exception {
    Installation installed = Installation.of(folder, LINE, Lines.jars().stock("4.4"));
    Installation.Answer answer = installed.preflight();
    assertEquals(1, answer.exit(), answer.text());
    assertNames("use validator-dropin-kafka-4.4 instead\n", answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd", "lz4", "snappy"})
  void findsAMissingCodecLibrary(String codec) throws Exception {
    String library = codec.equals("zstd") ? "zstd-jni" : codec + "-java";
    Installation.Answer answer = broker().without(library).preflight();
    assertEquals(1, answer.exit(), answer.text());
    assertNames("FIX   Codec        " + codec + " by no library: ", answer);
    assertNames("To fix: 1.\n", answer);
  }

  @Test
  void findsOtherMistakesOfTheClassPath() throws Exception {
    Path jars = Files.createDirectory(folder.resolve("jars"));
    Installation installed = broker();
    Files.createLink(jars.resolve("dropin.jar"), installed.jar());
    installed.with("CLASSPATH", jars + "/*");
    assertNames(" itself: Java gives the files of a wildcard any order\n", installed.preflight());
    Path copy = Files.copy(installed.jar(), folder.resolve("dropin.jar"));
    installed.with("CLASSPATH", copy.toString());
    assertNames(
        ", not from the jar of this command: use one jar for both\n", installed.preflight());
    installed.with("CLASSPATH", installed.jar().toString()).with("KAFKA_OPTS", "-cp x.jar");
    assertNames("-cp in KAFKA_OPTS replaces CLASSPATH", installed.preflight());
  }

  @Test
  void notesWhatAnOperatorShouldKnow() throws Exception {
    Files.writeString(folder.resolve("shared.properties"), "broker.id=1\n");
    Installation.Answer answer =
        broker()
            .with("CLASSPATH", "")
            .with("JMX_PORT", "9999")
            .with("KAFKA_OPTS", "-Dbatchvalidator.config=" + folder.resolve("shared.properties"))
            .preflight();
    assertPasses(answer);
    assertNames("note  Class path   CLASSPATH is not set here", answer);
    assertNames("note  Options      JMX_PORT without KAFKA_JMX_OPTS", answer);
    assertNames("note  Settings     these names in the file of batchvalidator.config", answer);
  }

  @Test
  void recommendsStrictForCompactedTopics() throws Exception {
    Installation.Answer answer = broker().preflight();
    assertPasses(answer);
    assertNames(COMPACTED, answer);
  }

  @Test
  void recommendsNothingIfCompactedTopicsAreStrict() throws Exception {
    Path policy = Files.createFile(folder.resolve("policy.properties"));
    Files.writeString(policy, "default.compacted.level=strict\n");
    Installation.Answer answer = broker().given("--policy", policy.toString()).preflight();
    assertPasses(answer);
    assertFalse(answer.text().contains(COMPACTED), answer.text());
  }

  @Test
  void notesEnforcedRulesThatReachTopicsOfTools() throws Exception {
    Path policy = Files.createFile(folder.resolve("policy.properties"));
    Files.writeString(policy, "default.key.required=true\n");
    Installation.Answer answer = broker().given("--policy", policy.toString()).preflight();
    assertPasses(answer);
    assertNames("note  Policy       _schemas of Schema Registry gets the enforced rules", answer);
  }

  @Test
  void notesAVersionThatWasNotTested() throws Exception {
    Installation.Answer answer =
        broker()
            .changed(
                "kafka-clients",
                root ->
                    Files.writeString(
                        root.resolve("kafka/kafka-version.properties"), "version=4.3.7\n"))
            .preflight();
    assertPasses(answer);
    assertNames("note  Kafka        4.3.7 is of the line of this jar, but was not tested", answer);
  }

  @Test
  void usageErrorsExitWith2() throws Exception {
    Installation installed = broker();
    Path empty = folder.resolve("empty");
    Files.createDirectories(empty.resolve("libs"));
    for (List<String> words :
        List.of(
            List.<String>of(),
            List.of("--preflight"),
            List.of("--preflight", folder.toString()),
            List.of("--preflight", empty.toString()),
            List.of("--preflight", installed.home().toString(), "--policy"),
            List.of("--flight", "x"))) {
      Installation.Answer answer = installed.run(words);
      assertEquals(2, answer.exit(), answer.text());
      assertTrue(answer.text().startsWith("Preflight: "), answer.text());
    }
    Installation.Answer help = installed.run(List.of("--help"));
    assertEquals(0, help.exit());
    assertNames("Usage: java ", help);
  }

  /** The manifests, the table of rollout.md, and the versions that the build tests agree. */
  @Test
  void testedVersionsAreThoseOfTheBuild() throws Exception {
    Map<String, List<String>> built = new TreeMap<>();
    Lines.versions()
        .forEach(
            version ->
                built
                    .computeIfAbsent(Lines.lineOf(version), unused -> new ArrayList<>())
                    .add(version));
    Map<String, List<String>> named = new TreeMap<>();
    Map<String, List<String>> documented = new TreeMap<>();
    for (String line : Lines.lines()) {
      try (JarFile jar = new JarFile(Lines.jar(line).toFile())) {
        String tested =
            jar.getManifest().getMainAttributes().getValue("Batch-Validator-Kafka-Tested");
        named.put(line, List.of(tested.split(", ", -1)));
      }
    }
    for (String text : Files.readAllLines(Path.of("..", "README.md"))) {
      Matcher row = ROW.matcher(text.strip());
      if (row.matches()) {
        documented.put(row.group(2), List.of(row.group(3).split(", ", -1)));
      }
    }
    assertEquals(built, named);
    assertEquals(built, documented);
  }
}
