// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** What {@code ./audit} may not read. The other modules have {@code ModuleTest}. */
class SparkModuleTest {
  @Test
  void theSparkModuleReadsNothingThatIsInternalToTheCore() {
    JavaClasses classes =
        new ClassFileImporter()
            .importUrl(AuditCommand.class.getProtectionDomain().getCodeSource().getLocation());
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.github.batchvalidator.internal..")
        .check(classes);
  }
}
