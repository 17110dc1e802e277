// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.github.batchvalidator.bench.SegmentFloor;
import io.github.batchvalidator.testkit.broker.BrokerClients;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Test;

/** Tests and benchmarks start brokers and create clients by the test kit alone. */
class HarnessIT {
  private static final String KIT = BrokerProcess.class.getPackageName();

  private static final ArchRule CLIENTS =
      noClasses()
          .that()
          .resideOutsideOfPackage(KIT)
          .should()
          .callConstructorWhere(target(owner(assignableTo(KafkaProducer.class))))
          .orShould()
          .callConstructorWhere(target(owner(assignableTo(KafkaConsumer.class))))
          .orShould()
          .callMethodWhere(target(owner(assignableTo(Admin.class))).and(target(name("create"))));

  private static final ArchRule KIT_IS_BELOW =
      noClasses()
          .that()
          .resideInAPackage(KIT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(Core.ROOT + ".bench..", Core.ROOT + ".testkit.specification..");

  private static JavaClasses classes(Class<?>... ofModules) {
    JavaClasses classes =
        new ClassFileImporter()
            .importUrls(
                Stream.of(ofModules)
                    .map(each -> each.getProtectionDomain().getCodeSource().getLocation())
                    .toList());
    assertFalse(classes.isEmpty());
    return classes;
  }

  @Test
  void onlyTheTestKitCreatesClients() {
    CLIENTS.check(classes(HarnessIT.class, SegmentFloor.class));
  }

  @Test
  void theTestKitOfBrokersReadsNeitherBenchmarksNorTheSpecification() {
    KIT_IS_BELOW.check(classes(BrokerClients.class));
  }
}
