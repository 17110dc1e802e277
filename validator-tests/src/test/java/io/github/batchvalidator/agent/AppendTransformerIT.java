// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent knows the {@code UnifiedLog} of every line, and leaves alone what it does not know. */
class AppendTransformerIT {
  private static final String JAVA = "org/apache/kafka/storage/internals/log/UnifiedLog";
  private static final String SCALA = "kafka/log/UnifiedLog";
  private static final String SOME_VERSION = "4.3.1";

  private final RecordedLog log = new RecordedLog();
  private final AppendTransformer transformer = new AppendTransformer(log);

  private static List<Path> kafka(String version) {
    List<Path> path = new ArrayList<>(Lines.kafka(version));
    // These jars include the Scala module of the older lines.
    if (List.of("3.9.2", "4.0.1").contains(version)) {
      path.addAll(Lines.kafkaTests(version));
    }
    return path;
  }

  private static ChangingLoader withDropIn(String version) throws Exception {
    List<Path> path = new ArrayList<>(List.of(Lines.jar(Lines.lineOf(version))));
    path.addAll(kafka(version));
    return ChangingLoader.of(path);
  }

  /** Verified by the JVM of the tests, as a broker's would. */
  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void changesTheLogOfEveryLine(String version) throws Exception {
    try (ChangingLoader loader = withDropIn(version)) {
      String name = loader.has(SCALA) ? SCALA : JAVA;
      byte[] bytes = loader.bytes(name);
      byte[] changed = transformer.transform(loader, name, null, null, bytes);
      assertEquals(List.of(), log.warnings());
      assertEquals(
          List.of("Batch Validator's agent inspects before the partition's lock: changed " + name),
          log.infos());
      Class<?> log = loader.define(name, Objects.requireNonNull(changed));
      assertNotNull(log.getDeclaredField(AppendCode.FIELD));
      assertEquals("enter lock leave return leave throw", AppendEvents.of(changed));
      Class.forName(log.getName(), true, loader);
    }
  }

  /** Kafka 4.0 has two classes of that name, of which one appends. */
  @Test
  void aClassOfThatNameInAnOlderLineIsLeftAlone() throws Exception {
    try (ChangingLoader loader = withDropIn("4.0.1")) {
      assertNull(transformer.transform(loader, JAVA, null, null, loader.bytes(JAVA)));
    }
    assertEquals(List.of(), log.warnings());
  }

  @Test
  void otherClassesAreLeftAlone() throws Exception {
    try (ChangingLoader loader = withDropIn(SOME_VERSION)) {
      byte[] bytes = loader.bytes(JAVA);
      assertNull(transformer.transform(loader, JAVA + "$1", null, null, bytes));
      assertNull(transformer.transform(loader, null, null, null, bytes));
      assertNull(transformer.transform(loader, JAVA, Object.class, null, bytes));
    }
    assertEquals(List.of(), log.infos());
    assertEquals(List.of(), log.warnings());
  }

  @Test
  void doesNothingWithoutADropIn() throws Exception {
    try (ChangingLoader loader = ChangingLoader.of(kafka(SOME_VERSION))) {
      assertNull(transformer.transform(loader, JAVA, null, null, loader.bytes(JAVA)));
    }
    assertRefused("no drop-in jar of the agent's version is on the class path");
  }

  @ParameterizedTest
  @CsvSource({
    "NO_APPEND, one method append of records and an origin",
    "NO_ORIGIN, one method append of records and an origin",
    "NO_RESULT, append to return an object",
    "NO_CUT, one call of trimInvalidBytes in append",
    "TWO_CUTS, one call of trimInvalidBytes in append",
    "NO_LOCK, one lock in append",
    "LOCK_BEFORE, one lock in append",
    "SECOND_LOCK, one lock in append",
    "BRANCH_BETWEEN, no branch between",
    "RETURN_BETWEEN, no branch between",
    "ORIGIN_REPLACED, append to keep its arguments",
    "FIELD_THERE, no field batchValidatorKnows"
  })
  void leavesALogAloneThatItDoesNotKnow(OtherLog other, String why) throws Exception {
    try (ChangingLoader loader = withDropIn(SOME_VERSION)) {
      byte[] bytes = other.of(loader.bytes(JAVA));
      assertNull(transformer.transform(loader, JAVA, null, null, bytes));
    }
    assertRefused(why);
  }

  @Test
  void anUnreadableClassIsLeftAloneWithAWarning() throws Exception {
    try (ChangingLoader loader = withDropIn(SOME_VERSION)) {
      byte[] bytes = loader.bytes(JAVA);
      bytes[7] = (byte) 200; // a version of class files that is yet to come
      assertNull(transformer.transform(loader, JAVA, null, null, bytes));
    }
    assertRefused("cannot read " + JAVA);
  }

  @Test
  void aLogThatIsLoadedBeforeTheAgentIsWarnedAbout() throws Exception {
    try (ChangingLoader loader = withDropIn(SOME_VERSION)) {
      transformer.warnIfLoaded(new Class<?>[] {Object.class, byte[].class});
      assertEquals(List.of(), log.warnings());
      transformer.warnIfLoaded(
          new Class<?>[] {Object.class, loader.define(JAVA, loader.bytes(JAVA)), String.class});
    }
    assertRefused(JAVA + " was loaded before it");
  }

  private void assertRefused(String why) {
    assertEquals(List.of(), log.infos());
    assertEquals(1, log.warnings().size(), log.warnings()::toString);
    String line = log.warnings().get(0);
    assertTrue(
        line.startsWith("Batch Validator's agent does not inspect before the partition's lock: "),
        line);
    assertTrue(line.contains(why), line);
  }
}
