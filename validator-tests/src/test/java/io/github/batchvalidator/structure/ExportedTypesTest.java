// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The public types of exported packages, by name: a new one is a promise and an edit here. */
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
          "rule.HeaderKeys",
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
          "rule.SchemaRule",
          "rule.SchemaRule$Place",
          "rule.SizeRange",
          "rule.Target",
          "rule.TimestampType",
          "rule.TopicRules",
          "rule.TopicRules$Builder",
          "rule.Verdict",
          "watch.Counts",
          "watch.CountsSnapshot",
          "watch.FlightRecorderEvents",
          "watch.Histogram",
          "watch.SectionCounts",
          "watch.ValidationCounts",
          "watch.ValidationListener");

  private static final int MOST = 35;

  @Test
  void areTheseAndNoOthers() {
    TreeSet<String> found = new TreeSet<>();
    for (JavaClass each : Core.classes()) {
      String name = each.getName().substring(Core.ROOT.length() + 1);
      if (!name.startsWith("internal.") && isPublic(each)) {
        found.add(name);
      }
    }
    assertEquals(new TreeSet<>(EXPORTED), found);
    assertTrue(found.size() <= MOST);
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ExportedTypesTest::isPublic).orElse(true);
  }
}
