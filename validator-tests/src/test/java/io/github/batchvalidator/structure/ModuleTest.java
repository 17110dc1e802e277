// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import io.github.batchvalidator.agent.OffLockAgent;
import io.github.batchvalidator.audit.CheckRun;
import io.github.batchvalidator.bench.SegmentFloor;
import io.github.batchvalidator.cli.CheckCommand;
import io.github.batchvalidator.dropin.DropIn;
import io.github.batchvalidator.dropin.line.LineAppend;
import io.github.batchvalidator.fork.EarlyAppend;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.micrometer.ValidationMeters;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.tiered.AuditingStorageManager;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The classes that the modules around the core may read. Their poms say the same about each other.
 * On the class path, only this test protects the core's internals from them.
 */
class ModuleTest {
  /** The copy of the core in the packaged agent has other names. */
  private static final String COPY = Core.ROOT + ".agent.shaded";

  private static final ArchRule WALL =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(Core.ROOT + ".internal..", COPY + ".internal..");

  private static final Map<Class<?>, JavaClasses> IMPORTED = new ConcurrentHashMap<>();

  private static final List<String> JDK = List.of("java.", "org.jspecify.annotations.");

  @Test
  void thePolicyFileReadsThePublicApiOnly() {
    assertEquals(
        Set.of(),
        foreign(
            PolicyFile.class,
            "io.github.batchvalidator.policy.",
            "io.github.batchvalidator.rule.",
            "io.github.batchvalidator.watch.ValidationListener"));
  }

  @Test
  void theAuditReadsNoCommandLineAndNoDropIn() {
    assertEquals(
        Set.of(),
        foreign(
            CheckRun.class,
            "io.github.batchvalidator.audit.",
            "io.github.batchvalidator.BatchValidator",
            "io.github.batchvalidator.engine.",
            "io.github.batchvalidator.format.",
            "io.github.batchvalidator.policy.",
            "io.github.batchvalidator.rule.",
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

  @Test
  void theStorageManagerReadsTheAuditAndKafkasInterface() {
    assertEquals(
        Set.of(),
        foreign(
            AuditingStorageManager.class,
            "io.github.batchvalidator.tiered.",
            "io.github.batchvalidator.audit.",
            "io.github.batchvalidator.policy.",
            "io.github.batchvalidator.rule.",
            "org.apache.kafka.common.Topic",
            "org.apache.kafka.common.Uuid",
            "org.apache.kafka.common.config.ConfigException",
            "org.apache.kafka.common.metrics.",
            "org.apache.kafka.server.log.remote.storage.",
            "org.slf4j.",
            "javax.management.",
            "jdk.jfr."));
  }

  @Test
  void theForkReadsThePublicApiAndKafka() {
    assertEquals(
        Set.of(),
        foreign(
            EarlyAppend.class,
            "io.github.batchvalidator.fork.",
            "io.github.batchvalidator.BatchRebuilder",
            "io.github.batchvalidator.BatchValidator",
            "io.github.batchvalidator.OffsetStamp",
            "io.github.batchvalidator.rule.",
            "org.apache.kafka."));
  }

  /** The jar of the agent has a copy of what it reads of the core. */
  @Test
  void theAgentReadsTheValidatorAndRulesAndKafkasLog() {
    assertEquals(
        Set.of(),
        foreign(
            OffLockAgent.class,
            "io.github.batchvalidator.agent.",
            "io.github.batchvalidator.BatchValidator",
            "io.github.batchvalidator.rule.",
            "org.apache.kafka.",
            "org.objectweb.asm.",
            "org.slf4j.",
            "javax.management.",
            "jdk.jfr."));
  }

  @Test
  void onlyTheGuardOfCompactionReadsTheCore() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.github.batchvalidator.agent.compaction")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(Core.ROOT, Core.ROOT + ".rule", COPY + "..")
        .check(classes(OffLockAgent.class));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        AuditingStorageManager.class,
        CheckCommand.class,
        CheckRun.class,
        DropIn.class,
        EarlyAppend.class,
        LineAppend.class,
        OffLockAgent.class,
        PolicyFile.class,
        SegmentFloor.class,
        ValidationMeters.class
      })
  void noModuleReadsWhatIsInternalToTheCore(Class<?> type) {
    WALL.check(classes(type));
  }

  @Test
  void aReaderOfWhatIsInternalIsFound() {
    JavaClasses reader = Core.imported(importer -> importer.importClasses(ReadsInternal.class));
    assertThrows(AssertionError.class, () -> WALL.check(reader));
  }

  /** Breaks the wall. */
  private record ReadsInternal(RecordIterator records) {}

  /**
   * Returns the classes of the module of a class, without those of a core that its jar contains.
   */
  private static JavaClasses classes(Class<?> type) {
    JavaClasses classes =
        IMPORTED
            .computeIfAbsent(type, Core::importedWith)
            .that(describe("not of the core", found -> !Core.classes().contain(nameOf(found))));
    assertFalse(classes.isEmpty());
    return classes;
  }

  /** Returns the name of a class in the core, also for its copy. */
  private static String nameOf(JavaClass type) {
    String name = type.getName();
    return name.startsWith(COPY + ".") ? Core.ROOT + name.substring(COPY.length()) : name;
  }

  /** Returns what the module of a class reads outside of the JDK and of some packages. */
  private static Set<String> foreign(Class<?> type, String... mayRead) {
    List<String> allowed = List.of(mayRead);
    Set<String> found = new TreeSet<>();
    for (JavaClass from : classes(type)) {
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String name = nameOf(target);
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
