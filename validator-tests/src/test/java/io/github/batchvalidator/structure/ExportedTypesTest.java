// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The public types of exported packages, by name. A new type of the API is a promise to hosts, and
 * a new type for the modules of this project is a hole in the wall around the engine. Either is an
 * edit here.
 */
class ExportedTypesTest {
  private static final List<String> EXPORTED =
      List.of(
          "BatchRebuilder",
          "BatchValidator",
          "OffsetStamp",
          "RecordCursor",
          "rule.Codec",
          "rule.Findings",
          "rule.GzipInflater",
          "rule.Level",
          "rule.Limit",
          "rule.Limits",
          "rule.Origin",
          "rule.Policy",
          "rule.Policy$Builder",
          "rule.Prefix",
          "rule.Reason",
          "rule.Reason$Answer",
          "rule.RebuildCause",
          "rule.SchemaIds",
          "rule.SchemaIds$Builder",
          "rule.SchemaPlace",
          "rule.SizeRange",
          "rule.Target",
          "rule.TimestampType",
          "rule.TopicRule",
          "rule.TopicRules",
          "rule.Verdict",
          "watch.Counts",
          "watch.Histogram",
          "watch.ValidationCounts",
          "watch.ValidationListener");

  /** The packages that only modules of this project may read, and their types. */
  private static final Map<String, List<String>> EXPORTED_TO_OUR_MODULES =
      Map.of(
          "engine",
          List.of("AppendRules", "BatchEngine", "PlainStream", "RecordReader", "SchemaHeaders"),
          "format",
          List.of(
              "BatchHeader",
              "BatchIterator",
              "BatchLayout",
              "BigEndian",
              "Checksums",
              "CrcSplice",
              "LegacyHeader",
              "LegacyLayout",
              "RecordLayout",
              "ShortVarint"),
          "verdict",
          List.of(
              "BatchSeal",
              "FailedRecords",
              "HeaderStamp",
              "MutableFindings",
              "MutableVerdict",
              "ReasonText",
              "TopicViolations",
              "WalkResult"));

  @Test
  void theApiHasTheseAndNoOthers() {
    Set<String> found =
        publicTypes(
            name ->
                !name.startsWith("internal.")
                    && EXPORTED_TO_OUR_MODULES.keySet().stream()
                        .noneMatch(each -> name.startsWith(each + ".")));
    assertEquals(new TreeSet<>(EXPORTED), found);
  }

  @Test
  void ourModulesReadTheseAndNoOthers() {
    EXPORTED_TO_OUR_MODULES.forEach(
        (name, types) -> {
          Set<String> expected = new TreeSet<>();
          types.forEach(type -> expected.add(name + "." + type));
          assertEquals(expected, publicTypes(found -> found.startsWith(name + ".")));
        });
  }

  /** The siblings run on the class path, so nothing else reads this part of the descriptor. */
  @Test
  void theModuleExportsThesePackagesToNamedModulesOnly() {
    Set<String> open = new TreeSet<>();
    Set<String> named = new TreeSet<>();
    for (ModuleDescriptor.Exports each : descriptor().exports()) {
      String rest = each.source().substring(Core.ROOT.length());
      (each.isQualified() ? named : open).add(rest.isEmpty() ? rest : rest.substring(1));
    }
    assertEquals(Set.of("", "rule", "watch"), open);
    assertEquals(EXPORTED_TO_OUR_MODULES.keySet(), named);
  }

  private static ModuleDescriptor descriptor() {
    try (InputStream in = Core.descriptor()) {
      return ModuleDescriptor.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> publicTypes(Predicate<String> isWanted) {
    Set<String> found = new TreeSet<>();
    for (JavaClass each : Core.classes()) {
      String name = each.getName().substring(Core.ROOT.length() + 1);
      if (isWanted.test(name) && isPublic(each)) {
        found.add(name);
      }
    }
    return found;
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ExportedTypesTest::isPublic).orElse(true);
  }
}
