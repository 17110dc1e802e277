// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.github.batchvalidator.dropin.DropIn;
import io.github.batchvalidator.dropin.append.AppendValidation;
import io.github.batchvalidator.dropin.line.LineAppend;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The drop-in has three layers: the shim with Kafka's name (line), the append, and the engine. Its
 * packages depend on each other in one direction only.
 */
class DropInLayerTest {
  private static final String ROOT = DropIn.class.getPackageName();
  private static final String LINE = "line";

  /** The packages that each package may use. The empty name is the root package. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("settings", Set.of()),
          Map.entry("engine", Set.of()),
          Map.entry("refusal", Set.of()),
          Map.entry("policies", Set.of()),
          Map.entry("append", Set.of("engine", "policies", "refusal")),
          Map.entry("offlock", Set.of("append")),
          Map.entry("shadow", Set.of("append", "engine", "policies")),
          Map.entry("rules", Set.of("policies")),
          Map.entry("management", Set.of("offlock", "rules", "shadow")),
          Map.entry(
              "",
              Set.of("settings", "append", "management", "offlock", "policies", "rules", "shadow")),
          Map.entry("preflight", Set.of("", "settings", "shadow")),
          Map.entry(LINE, Set.of("", "append", "policies", "refusal")));

  private static final JavaClasses CLASSES = Core.importedWith(DropIn.class, LineAppend.class);

  /** Assigns each class below the root to its package, and ignores all others. */
  private static final class Packages implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass found) {
      return isOurs(found) ? SliceIdentifier.of(found.getPackageName()) : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "the packages of the drop-in";
    }
  }

  private static boolean isOurs(JavaClass found) {
    return found.getPackageName().equals(ROOT) || found.getPackageName().startsWith(ROOT + ".");
  }

  private static String layer(JavaClass found) {
    return found.getPackageName().equals(ROOT)
        ? ""
        : found.getPackageName().substring(ROOT.length() + 1);
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().assignedFrom(new Packages()).should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void eachPackageUsesOnlyWhatItMay() {
    Map<String, Set<String>> used = new TreeMap<>();
    for (JavaClass from : CLASSES) {
      if (isOurs(from)) {
        Set<String> layers = used.computeIfAbsent(layer(from), unused -> new TreeSet<>());
        from.getDirectDependenciesFromSelf().stream()
            .map(Dependency::getTargetClass)
            .map(JavaClass::getBaseComponentType)
            .filter(DropInLayerTest::isOurs)
            .map(DropInLayerTest::layer)
            .filter(target -> !target.equals(layer(from)))
            .forEach(layers::add);
      }
    }
    assertEquals(new TreeMap<>(MAY_USE), used);
  }

  @Test
  void onlyTheShimKnowsTheClassThatItReplaces() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "..")
        .and()
        .resideOutsideOfPackage(ROOT + "." + LINE)
        .should()
        .dependOnClassesThat()
        .haveNameMatching("org\\.apache\\.kafka\\.storage\\.internals\\.log\\.LogValidator.*")
        .check(CLASSES);
  }

  /** The steps of an append get all they need when it begins. They call back only meters. */
  @Test
  void theStepsOfAnAppendCallNothingAboveThem() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "..")
        .and()
        .doNotHaveFullyQualifiedName(AppendValidation.class.getName())
        .and()
        .resideOutsideOfPackage(ROOT + "." + LINE)
        .should()
        .dependOnClassesThat()
        .areAssignableTo(AppendValidation.class)
        .check(CLASSES);
  }
}
