// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import io.github.batchvalidator.testkit.broker.BrokerBeans;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A live broker in shadow mode: Kafka's class answers, and ours would have answered the same. */
@Tag("broker")
class ShadowBrokerIT {
  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#brokersOfLongTests")
  void clientsGetTheSameAnswersAsFromStock(String line) throws Exception {
    List<Scenario> scenarios = Scenarios.of(System.currentTimeMillis() - 60_000);
    try (BrokerProcess broker =
            Lines.jars()
                .start(
                    BrokerBuild.DROP_IN, line, directory, List.of("-Dbatchvalidator.shadow=true"));
        BrokerBeans heap = new BrokerBeans(broker)) {
      BrokerRun.of(broker, scenarios);
      assertTrue(broker.log().contains("runs in the shadow of the LogValidator in "), broker.log());
      DropInMXBean counts = heap.dropIn();
      assertTrue(counts.getShadowAppends() >= scenarios.size(), "" + counts.getShadowAppends());
      assertEquals(Map.of(), counts.getShadowDifferences());
      assertTrue(counts.getAccepted() > 0, "ours was asked, too");
    }
  }
}
