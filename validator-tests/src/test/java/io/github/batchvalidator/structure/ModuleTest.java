// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.cli.CheckCommand;
import io.github.batchvalidator.policy.PolicyFile;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the modules around the core may read. Their poms keep them from each other, too. */
class ModuleTest {
  private static final List<String> JDK = List.of("java.", "org.jspecify.annotations.");

  @Test
  void thePolicyFileReadsRulesOnly() {
    assertEquals(
        Set.of(),
        foreign(
            PolicyFile.class,
            "io.github.batchvalidator.policy.",
            "io.github.batchvalidator.rule."));
  }

  @Test
  void theAuditReadsNoCommandLineAndNoDropIn() {
    assertEquals(
        Set.of(),
        foreign(
            CheckRun.class,
            "io.github.batchvalidator.audit.",
            "io.github.batchvalidator.BatchValidator",
            "io.github.batchvalidator.format.",
            "io.github.batchvalidator.internal.",
            "io.github.batchvalidator.policy.",
            "io.github.batchvalidator.rule.",
            "io.github.batchvalidator.verdict.",
            "com.fasterxml.jackson.core.",
            "com.github.luben.zstd.",
            "javax.crypto."));
  }

  @Test
  void theCommandLineReadsTheAuditAndNothingOfTheEngine() {
    assertEquals(
        Set.of(),
        foreign(
            CheckCommand.class,
            "io.github.batchvalidator.cli.",
            "io.github.batchvalidator.audit.",
            "io.github.batchvalidator.policy.",
            "io.github.batchvalidator.rule.",
            "picocli."));
  }

  /** Returns what the module of a class reads outside of the JDK and of some packages. */
  private static Set<String> foreign(Class<?> type, String... mayRead) {
    JavaClasses classes =
        new ClassFileImporter().importUrl(type.getProtectionDomain().getCodeSource().getLocation());
    assertFalse(classes.isEmpty());
    List<String> allowed = List.of(mayRead);
    Set<String> found = new TreeSet<>();
    for (JavaClass from : classes) {
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String name = target.getName();
        if (!target.isPrimitive()
            && JDK.stream().noneMatch(name::startsWith)
            && allowed.stream().noneMatch(name::startsWith)) {
          found.add(from.getName() + " -> " + name);
        }
      }
    }
    return found;
  }
}
