// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/**
 * Which classes the parts of {@code ./audit} may read. The other modules have {@code ModuleTest}.
 */
class SparkModuleTest {
  private static final String ROOT = "io.github.batchvalidator.spark";

  private final JavaClasses classes =
      new ClassFileImporter()
          .importUrl(AuditCommand.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void theSparkModuleReadsNothingThatIsInternalToTheCore() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.github.batchvalidator.internal..")
        .check(classes);
  }

  @Test
  void eachRoomReadsOnlyThoseBelowIt() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("command")
        .definedBy(ROOT)
        .layer("check")
        .definedBy(ROOT + ".check")
        .layer("inventory")
        .definedBy(ROOT + ".inventory")
        .layer("storage")
        .definedBy(ROOT + ".storage")
        .whereLayer("command")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("check")
        .mayOnlyBeAccessedByLayers("command")
        .whereLayer("inventory")
        .mayOnlyBeAccessedByLayers("command", "check")
        .check(classes);
  }
}
