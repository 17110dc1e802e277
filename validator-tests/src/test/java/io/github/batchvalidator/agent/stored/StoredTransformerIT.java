// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.RecordedLog;
import io.github.batchvalidator.agent.VisibleClasses;
import io.github.batchvalidator.dropin.Lines;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The agent changes a segment that it knows, and says why it leaves another one alone. */
class StoredTransformerIT {
  private final RecordedLog log = new RecordedLog();

  private byte @Nullable [] transform(String version, String name, @Nullable ClassLoader own)
      throws Exception {
    try (ClassPathLoader kafka = ClassPathLoader.of(Lines.kafka(version))) {
      StoredTransformer transformer =
          new StoredTransformer(
              KnownCode.load(), EnumSet.of(Part.RECOVERY), log, own == null ? kafka : own);
      byte[] bytes = new VisibleClasses(kafka).bytes(SegmentCode.OWNER);
      return transformer.transform(kafka, name, null, null, bytes);
    }
  }

  @Test
  void changesAKnownSegment() throws Exception {
    assertNotNull(transform("4.3.1", SegmentCode.OWNER, null));
    assertEquals(
        "[Batch Validator's agent recovers segments in one pass: knows Kafka 4.3.1]",
        log.infos().toString());
  }

  /** Kafka's cuts are in two classes, of which one has all the calls. */
  @Test
  void changesBothClassesToKeepCuts() throws Exception {
    try (ClassPathLoader kafka = ClassPathLoader.of(Lines.kafka("4.3.1"))) {
      StoredTransformer transformer =
          new StoredTransformer(KnownCode.load(), EnumSet.of(Part.KEEP), log, kafka);
      for (String name : List.of(SegmentCode.OWNER, LoaderCode.OWNER)) {
        byte[] bytes = new VisibleClasses(kafka).bytes(name);
        byte[] changed = transformer.transform(kafka, name, null, null, bytes);
        String text = CodeText.of(Objects.requireNonNull(changed)).of("*");
        assertTrue(text.contains(SegmentCode.CUT_HOOKS), name);
        assertFalse(text.contains("RecoveryHooks"), name);
      }
    }
    assertEquals(1, log.infos().size(), log.infos()::toString);
    String line = log.infos().get(0);
    assertTrue(line.endsWith(" keeps what recovery cuts: knows Kafka 4.3.1 or 4.4.0"), line);
  }

  @Test
  void leavesTheLoaderAloneIfNothingIsKept() throws Exception {
    try (ClassPathLoader kafka = ClassPathLoader.of(Lines.kafka("4.3.1"))) {
      StoredTransformer transformer =
          new StoredTransformer(KnownCode.load(), EnumSet.of(Part.RECOVERY), log, kafka);
      byte[] bytes = new VisibleClasses(kafka).bytes(LoaderCode.OWNER);
      assertNull(transformer.transform(kafka, LoaderCode.OWNER, null, null, bytes));
    }
  }

  @Test
  void changesTheCleanerAndNothingElseForCompaction() throws Exception {
    try (ClassPathLoader kafka = ClassPathLoader.of(Lines.kafka("4.3.1"))) {
      StoredTransformer transformer =
          new StoredTransformer(KnownCode.load(), EnumSet.of(Part.COMPACTION), log, kafka);
      for (String name : List.of(SegmentCode.OWNER, LoaderCode.OWNER)) {
        byte[] bytes = new VisibleClasses(kafka).bytes(name);
        assertNull(transformer.transform(kafka, name, null, null, bytes), name);
        assertEquals(1, log.infos().size(), "at the start of the broker, with the first class");
      }
      byte[] bytes = new VisibleClasses(kafka).bytes(CleanerCode.OWNER);
      byte[] changed = transformer.transform(kafka, CleanerCode.OWNER, null, null, bytes);
      CodeText text = CodeText.of(Objects.requireNonNull(changed));
      assertTrue(text.of("buildOffsetMapForSegment").contains(CleanerCode.HOOKS + ".dirty"));
      assertTrue(text.of("cleanSegments").contains(CleanerCode.HOOKS + ".group"));
    }
    assertEquals(1, log.infos().size(), log.infos()::toString);
    assertTrue(log.infos().get(0).contains(" checks segments before compaction: "));
  }

  @Test
  void leavesTheCleanerAloneIfCompactionIsOff() throws Exception {
    try (ClassPathLoader kafka = ClassPathLoader.of(Lines.kafka("4.3.1"))) {
      StoredTransformer transformer =
          new StoredTransformer(KnownCode.load(), EnumSet.of(Part.RECOVERY), log, kafka);
      byte[] bytes = new VisibleClasses(kafka).bytes(CleanerCode.OWNER);
      assertNull(transformer.transform(kafka, CleanerCode.OWNER, null, null, bytes));
    }
  }

  @Test
  void leavesUnknownCodeAlone() throws Exception {
    assertNull(transform("4.0.1", SegmentCode.OWNER, null));
    assertRefused("it does not know the code of ");
  }

  @Test
  void leavesKafkaOfAnotherLoaderAlone() throws Exception {
    assertNull(transform("4.3.1", SegmentCode.OWNER, getClass().getClassLoader()));
    assertRefused("Kafka's classes have another class loader than the agent");
  }

  @Test
  void isSilentAboutOtherClasses() throws Exception {
    assertNull(transform("4.3.1", SegmentCode.OWNER + "$1", null));
    assertEquals("[]", log.infos().toString() + log.warnings().toString().substring(2));
  }

  @Test
  void warnsThatItCameTooLate() throws Exception {
    try (ClassPathLoader kafka = ClassPathLoader.of(Lines.kafka("4.3.1"))) {
      StoredTransformer transformer =
          new StoredTransformer(KnownCode.load(), EnumSet.of(Part.RECOVERY), log, kafka);
      transformer.warnIfLoaded(new Class<?>[] {String.class});
      assertEquals("[]", log.warnings().toString());
      Class<?> segment = Class.forName(SegmentCode.OWNER.replace('/', '.'), false, kafka);
      transformer.warnIfLoaded(new Class<?>[] {String.class, segment});
    }
    assertRefused("was loaded before it");
  }

  private void assertRefused(String why) {
    assertEquals("[]", log.infos().toString());
    assertEquals(1, log.warnings().size(), log.warnings()::toString);
    String line = log.warnings().get(0);
    assertTrue(line.startsWith("Batch Validator's agent leaves recovery to Kafka: "), line);
    assertTrue(line.contains(why), line);
  }
}
