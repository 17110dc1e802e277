// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.structure.fixture.scan.BreaksHotPathRules;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The compiled code between entry and verdict holds to {@link HotPathRule}. */
class HotPathTest {
  private static final Set<String> HOT_PACKAGES =
      Set.of("engine", "inspect", "rebuild", "payload", "codec", "scan", "check", "format");

  /** The classes in leaf packages that an inspection calls. Builders and texts are not hot. */
  private static final Set<String> HOT_LEAF_CLASSES =
      Set.of(
          "verdict.MutableVerdict",
          "verdict.WalkResult",
          "verdict.Refusal",
          "verdict.TopicViolations",
          "verdict.FailedRecords",
          "verdict.MutableFindings",
          "verdict.BatchSeal",
          "verdict.HeaderStamp",
          "rule.Reason",
          "rule.Codec",
          "watch.ValidationCounts",
          "watch.FlightRecorderEvents");

  /** Called when a codec is created or closed, or once the library has refused. */
  private static final Pattern COLD =
      Pattern.compile(
          ".*\\.codec\\.(DirectBuffers\\..*|CodecFailure\\.noContext|Lease\\.(close|state)|gzip\\.JdkMembers\\..*"
              + "|zstd\\.(ForeignLinker|ZstdFunctions)\\..*|zstd\\.L.*\\.newContext)");

  private static final Pattern MAKES_TEXT = Pattern.compile("describe.*|toString");

  /** Misuse of the API, which alone is answered by an exception. */
  private static final Set<String> MISUSE =
      Set.of(
          "inspect.InspectionEngine.begin NO_NEW_THROWABLE", // closed
          "inspect.InspectionEngine.begin NO_THROW",
          "inspect.InspectionEngine.inspect NO_THROW", // what was thrown, once the batch is dropped
          "inspect.InspectionEngine.inspectFramed NO_THROW",
          "payload.PayloadReader.take NO_NEW_THROWABLE", // closed
          "payload.PayloadReader.take NO_THROW",
          "payload.PayloadReader.release NO_THROW", // what was thrown, once the lease is back
          "rebuild.RebuildEngine.check NO_THROW", // what was thrown, once the call is dropped
          "rebuild.RebuildEngine.rebuild NO_THROW",
          "rebuild.RebuildEngine.rebuildFramed NO_THROW",
          "rebuild.RebuildEngine.end NO_THROW",
          "OffsetStamp.assign NO_NEW_THROWABLE", // no offsets left
          "OffsetStamp.assign NO_TEXT",
          "OffsetStamp.assign NO_THROW",
          "verdict.HeaderStamp.write NO_NEW_THROWABLE", // another batch
          "verdict.HeaderStamp.write NO_THROW",
          "verdict.HeaderStamp.writeKnown NO_NEW_THROWABLE", // a verdict that does not accept
          "verdict.HeaderStamp.writeKnown NO_TEXT",
          "verdict.HeaderStamp.writeKnown NO_THROW",
          "verdict.MutableVerdict.of NO_NEW_THROWABLE", // a verdict of the host's own
          "verdict.MutableVerdict.of NO_THROW",
          "rebuild.RebuildEngine.batch NO_NEW_THROWABLE", // nothing was rebuilt
          "rebuild.RebuildEngine.batch NO_THROW",
          "rebuild.RebuildEngine.start NO_NEW_THROWABLE", // closed
          "rebuild.RebuildEngine.start NO_THROW");

  @Test
  void nothingOnTheWayToTheVerdictBreaksARule() {
    Set<String> broken = new TreeSet<>();
    for (MethodCode method : hotMethods()) {
      for (HotPathRule rule : HotPathRule.values()) {
        if (rule.isBrokenBy(method)) {
          broken.add(Core.relative(Core.ROOT, method.label()) + " " + rule);
        }
      }
    }
    assertEquals(new TreeSet<>(MISUSE), broken);
  }

  @Test
  void noFieldHoldsABoxedNumberOrAnOptional() {
    Pattern refused = Pattern.compile("java/lang/(Integer|Long|Short|Byte);|java/util/Optional");
    for (String name : hotClasses()) {
      for (String field : ClassFile.of(name).fieldDescriptors()) {
        assertFalse(refused.matcher(field).find(), () -> name + " has a field of type " + field);
      }
    }
    assertTrue(
        ClassFile.of(BreaksHotPathRules.class.getName()).fieldDescriptors().stream()
            .anyMatch(field -> refused.matcher(field).find()));
  }

  @Test
  void theHotPathIsNotEmpty() {
    List<String> labels = hotMethods().stream().map(MethodCode::label).toList();
    assertTrue(labels.contains(Core.ROOT + ".BatchValidator.inspect"));
    assertTrue(labels.contains(Core.ROOT + ".internal.scan.SkipKeyValueIterator.nextShort"));
    assertTrue(labels.contains(Core.ROOT + ".verdict.WalkResult.fail"));
    assertTrue(labels.contains(Core.ROOT + ".watch.ValidationCounts.judged"));
    assertTrue(labels.size() > 200, labels.size() + " methods");
  }

  /**
   * Each rule is broken by the method of the fixture that bears its name, and by no other rule's.
   */
  @ParameterizedTest
  @EnumSource(HotPathRule.class)
  void everyRuleCanBeBroken(HotPathRule rule) {
    List<String> breaking =
        ClassFile.of(BreaksHotPathRules.class.getName()).methods().stream()
            .filter(rule::isBrokenBy)
            .map(MethodCode::name)
            .toList();
    assertTrue(breaking.contains(rule.name()), () -> breaking.toString());
    assertFalse(breaking.contains("breaksNothing"));
  }

  private static List<MethodCode> hotMethods() {
    return hotClasses().stream()
        .flatMap(name -> ClassFile.of(name).methods().stream())
        .filter(method -> !MAKES_TEXT.matcher(method.name()).matches())
        .filter(method -> !COLD.matcher(method.label()).matches())
        .toList();
  }

  private static List<String> hotClasses() {
    return Core.classes().stream()
        .map(found -> found.getName())
        .filter(HotPathTest::isHot)
        .toList();
  }

  private static boolean isHot(String className) {
    String layer = Core.layer(Core.ROOT, className);
    return layer.isEmpty()
        || HOT_PACKAGES.contains(layer.replaceFirst("\\..*", ""))
        || HOT_LEAF_CLASSES.contains(Core.relative(Core.ROOT, className));
  }
}
