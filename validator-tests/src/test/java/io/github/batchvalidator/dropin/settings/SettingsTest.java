// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.testing.DocumentTable;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings: names, values, sources and errors. */
class SettingsTest {
  private final Properties system = new Properties();

  @TempDir private Path directory;

  @Test
  void theDefaultsBoundMemoryAndAreGenerousAboutWork() {
    Settings expected =
        new Settings(
            Level.KAFKA,
            false,
            Limits.GENEROUS,
            65_536,
            GzipInflater.AUTO,
            false,
            true,
            null,
            List.of());
    assertEquals(expected, Settings.read(system));
  }

  @Test
  void readsSystemProperties() {
    system.setProperty("batchvalidator.level", "kafka");
    system.setProperty("batchvalidator.gzip", "java");
    system.setProperty("batchvalidator.observe", "true");
    system.setProperty("batchvalidator.shadow", "true");
    system.setProperty("batchvalidator.offLock", "false");
    system.setProperty("batchvalidator.policy", "p");
    system.setProperty("batchvalidator.limits.plainBytes", "1000000");
    system.setProperty("batchvalidator.limits.codecMemoryBytes", " 65536 ");
    system.setProperty("batchvalidator.limits.rebuiltBytes", "1048576");
    system.setProperty("batchvalidator.limits.recordErrors", "5");
    system.setProperty("somebody.else", "x");
    Limits limits =
        Limits.UNBOUNDED_AS_KAFKA
            .with(Limit.PLAIN_BYTES, 1_000_000)
            .with(Limit.CODEC_MEMORY_BYTES, 1 << 16)
            .with(Limit.REBUILT_BYTES, 1 << 20);
    assertEquals(
        new Settings(
            Level.KAFKA, true, limits, 5, GzipInflater.JAVA, true, false, Path.of("p"), List.of()),
        Settings.read(system));
  }

  @Test
  void strictIsALevelAndCannotBeObserved() {
    system.setProperty("batchvalidator.level", "strict");
    assertEquals(Level.STRICT, Settings.read(system).level());
    assertFalse(Settings.read(system).observe());
    system.setProperty("batchvalidator.observe", "true");
    assertTrue(refusal().contains("batchvalidator.observe is for batchvalidator.level=kafka"));
  }

  @Test
  void readsAFileThatASystemPropertyOverrules() throws IOException {
    Path file = directory.resolve("batchvalidator.properties");
    Files.writeString(
        file, "batchvalidator.limits.plainBytes=7\nbatchvalidator.limits.recordErrors=8\n");
    system.setProperty("batchvalidator.config", file.toString());
    system.setProperty("batchvalidator.limits.recordErrors", "9");
    Settings settings = Settings.read(system);
    assertEquals(7, settings.limits().plainBytes());
    assertEquals(9, settings.recordErrors());
  }

  @ParameterizedTest
  @CsvSource({
    "batchvalidator.level, observe, legal is kafka or strict",
    "batchvalidator.level, KAFKA, legal is kafka or strict",
    "batchvalidator.observe, yes, legal is true or false",
    "batchvalidator.gzip, igzip, 'legal is jdk, java or auto'",
    "batchvalidator.limits.plainBytes, -1, from 0 to 9223372036854775807",
    "batchvalidator.limits.plainBytes, 1e6, from 0 to 9223372036854775807",
    "batchvalidator.limits, broker, 'legal is unbounded-as-kafka, generous or broker-default'",
    "batchvalidator.limits.ratio, 0, from 1 to 2147483647",
    "batchvalidator.limits.ratio, 1.5, from 1 to 2147483647",
    "batchvalidator.limits.records, 2147483648, from 1 to 2147483647",
    "batchvalidator.limits.recordBytes, 2147483640, 'from 1 to 2147483639, or 2147483647'",
    "batchvalidator.limits.headers, -1, from 0 to 2147483647",
    "batchvalidator.limits.headerBytes, many, from 0 to 2147483647",
    "batchvalidator.limits.codecMemoryBytes, 65535, from 65536 to 134217728",
    "batchvalidator.limits.codecMemoryBytes, 134217729, from 65536 to 134217728",
    "batchvalidator.limits.rebuiltBytes, 0, from 1 to 2147483639",
    "batchvalidator.limits.rebuiltBytes, 2147483640, from 1 to 2147483639",
    "batchvalidator.limits.recordErrors, 0, from 1 to 16777216",
    "batchvalidator.limits.recordErrors, '', from 1 to 16777216"
  })
  void namesTheLegalValues(String name, String value, String legal) {
    system.setProperty(name, value);
    String message = refusal();
    assertTrue(message.contains(name + " is " + value), message);
    assertTrue(message.contains(legal), message);
  }

  @ParameterizedTest
  @CsvSource({
    "batchvalidator.limits.plainBytes, 0, 9223372036854775807",
    "batchvalidator.limits.ratio, 1, 2147483647",
    "batchvalidator.limits.records, 1, 2147483647",
    "batchvalidator.limits.recordBytes, 1, 2147483639",
    "batchvalidator.limits.recordBytes, 1, 2147483647",
    "batchvalidator.limits.headers, 0, 2147483647",
    "batchvalidator.limits.headerBytes, 0, 2147483647",
    "batchvalidator.limits.codecMemoryBytes, 65536, 134217728",
    "batchvalidator.limits.rebuiltBytes, 1, 2147483639",
    "batchvalidator.limits.recordErrors, 1, 16777216"
  })
  void acceptsBothEndsOfARange(String name, String least, String most) {
    for (String value : new String[] {least, most}) {
      system.setProperty(name, value);
      String message = Settings.read(system).describe() + " ";
      assertTrue(message.contains(name + "=" + value + " "), message);
    }
  }

  /** A single setting overrides the preset, no matter where both are set. */
  @Test
  void aPresetIsWhereLimitsStart() throws IOException {
    system.setProperty("batchvalidator.limits", "broker-default");
    assertEquals(Limits.BROKER_DEFAULT, Settings.read(system).limits());
    Path file = directory.resolve("batchvalidator.properties");
    Files.writeString(file, "batchvalidator.limits.ratio=7\n");
    system.setProperty("batchvalidator.config", file.toString());
    assertEquals(Limits.BROKER_DEFAULT.with(Limit.RATIO, 7), Settings.read(system).limits());
    system.setProperty("batchvalidator.limits", "unbounded-as-kafka");
    assertEquals(Limits.UNBOUNDED_AS_KAFKA.with(Limit.RATIO, 7), Settings.read(system).limits());
  }

  /** A file that names another one does not lead on. */
  @Test
  void readsOneFileOnly() throws IOException {
    Path file = directory.resolve("batchvalidator.properties");
    Files.writeString(file, "batchvalidator.config=none\nsomebody.else=x\n");
    system.setProperty("batchvalidator.config", file.toString());
    assertEquals(
        new Settings(
            Level.KAFKA,
            false,
            Limits.GENEROUS,
            65_536,
            GzipInflater.AUTO,
            false,
            true,
            null,
            List.of("somebody.else")),
        Settings.read(system));
  }

  @Test
  void refusesUnknownNamesWithAllKnownOnes() {
    system.setProperty("batchvalidator.limits.plainbytes", "1");
    String message = refusal();
    assertTrue(message.contains("Unknown setting batchvalidator.limits.plainbytes"), message);
    for (String known :
        new String[] {
          Settings.CONFIG,
          Settings.LEVEL,
          Settings.OBSERVE,
          Settings.GZIP,
          Settings.SHADOW,
          Settings.OFF_LOCK,
          Settings.LIMITS + ",",
          Settings.RECORD_ERRORS
        }) {
      assertTrue(message.contains(known), message);
    }
    for (Limit limit : Limit.values()) {
      assertTrue(message.contains(Settings.nameOf(limit)), message);
    }
  }

  @Test
  void refusesAFileThatCannotBeRead() {
    system.setProperty("batchvalidator.config", directory.resolve("none").toString());
    assertTrue(refusal().contains("cannot read"), refusal());
  }

  /** What editors on Windows write. Without this the first line would belong to another name. */
  @Test
  void aByteOrderMarkIsNoPartOfTheFirstName() throws IOException {
    write("\uFEFFbatchvalidator.level=strict\n", StandardCharsets.UTF_8);
    Settings settings = Settings.read(system);
    assertEquals(Level.STRICT, settings.level());
    assertEquals(List.of(), settings.ignored());
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void refusesUtf16(String charset) throws IOException {
    write("\uFEFFbatchvalidator.level=strict\n", Charset.forName(charset));
    assertTrue(refusal().contains("is UTF-16, save the file as UTF-8"), refusal());
  }

  /** A shared file may have comments and values in any superset of ASCII. */
  @ParameterizedTest
  @ValueSource(strings = {"ISO-8859-1", "UTF-8"})
  void readsOurNamesInAnySupersetOfAscii(String charset) throws IOException {
    write(
        "# Z\u00fcrich\nsite=Z\u00fcrich\nbatchvalidator.level=str\\u0069ct",
        Charset.forName(charset));
    assertEquals(Level.STRICT, Settings.read(system).level());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x"})
  void readsAnEmptyFile(String text) throws IOException {
    write(text, StandardCharsets.UTF_8);
    assertEquals(Level.KAFKA, Settings.read(system).level());
  }

  @Test
  void namesWithoutThePrefixAreIgnored() throws IOException {
    write("level=strict\nbatchvalidator.gzip=java\nbroker.id=1\n", StandardCharsets.UTF_8);
    assertEquals(List.of("broker.id", "level"), Settings.read(system).ignored());
  }

  private void write(String text, Charset charset) throws IOException {
    Path file = directory.resolve("shared.properties");
    Files.write(file, text.getBytes(charset));
    system.setProperty("batchvalidator.config", file.toString());
  }

  @Test
  void describesTheDefaults() {
    assertEquals(
        "batchvalidator.level=kafka batchvalidator.observe=false"
            + " batchvalidator.shadow=false batchvalidator.offLock=true"
            + " batchvalidator.gzip=auto"
            + " batchvalidator.limits.plainBytes=2147483647"
            + " batchvalidator.limits.ratio=2147483647"
            + " batchvalidator.limits.records=2147483647"
            + " batchvalidator.limits.recordBytes=2147483647"
            + " batchvalidator.limits.headers=2147483647"
            + " batchvalidator.limits.headerBytes=2147483647"
            + " batchvalidator.limits.codecMemoryBytes=134217728"
            + " batchvalidator.limits.rebuiltBytes=134217728"
            + " batchvalidator.limits.recordErrors=65536",
        Settings.read(system).describe());
  }

  @Test
  void describesAChosenInflater() {
    system.setProperty("batchvalidator.gzip", "java");
    String message = Settings.read(system).describe();
    assertTrue(message.contains(" batchvalidator.gzip=java "), message);
  }

  @Test
  void aNamedPipeIsRefusedAndDoesNotBlock() throws Exception {
    Path pipe = directory.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no mkfifo");
    system.setProperty("batchvalidator.config", pipe.toString());
    String message = assertTimeoutPreemptively(Duration.ofSeconds(10), this::refusal);
    assertTrue(message.contains("not a regular file"), message);
  }

  @Test
  void pageListsEveryName() throws IOException {
    system.setProperty("batchvalidator.unknown", "1");
    String known = refusal();
    String names = known.substring(known.indexOf('[') + 1, known.indexOf(']'));
    assertEquals(
        Set.of(names.split(", ", -1)), Set.copyOf(DocumentTable.firstColumn("settings.md")));
  }

  private String refusal() {
    return assertThrows(ConfigException.class, () -> Settings.read(system)).toString();
  }
}
