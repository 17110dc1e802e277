// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.BrokerJvm;
import io.github.batchvalidator.dropin.StrictAppends;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The loaded classes and the answering validator, with and without shadow mode. */
class ShadowSwitchIT {
  private static final String LOADED = StockClass.NAME + " source:";
  private static final String SHADOW = " io.github.batchvalidator.dropin.shadow.";

  private static String run(String... settings) throws Exception {
    List<String> options = new ArrayList<>(List.of(settings));
    options.add("-Xlog:class+load");
    options.add("--enable-native-access=ALL-UNNAMED");
    return BrokerJvm.run(
        BrokerJvm.brokerWithTests(System.getProperty("kafka.version")),
        options,
        List.of(StrictAppends.class.getName()));
  }

  private static List<String> lines(String output, String sign) {
    return output.lines().filter(line -> line.contains(sign)).toList();
  }

  @Test
  void offByDefaultAndThenKafkasClassIsNeverLoaded() throws Exception {
    String output = run();
    assertEquals(1, lines(output, LOADED).size(), output);
    assertTrue(lines(output, LOADED).get(0).contains("validator-dropin-kafka-"), output);
    assertEquals(List.of(), lines(output, SHADOW));
    assertFalse(output.contains("StockClass source"));
  }

  /** Level strict would refuse three of them. */
  @Test
  void kafkaAnswersWhateverElseIsSet() throws Exception {
    String output = run("-Dbatchvalidator.shadow=true", "-Dbatchvalidator.level=strict");
    assertEquals(2, lines(output, LOADED).size(), output);
    assertFalse(lines(output, SHADOW).isEmpty());
    List<String> answers = lines(output, StrictAppends.MARK);
    assertEquals(4, answers.stream().filter(it -> it.endsWith("accepted, next offset 8")).count());
    assertTrue(answers.contains(StrictAppends.MARK + "refused: InvalidRecordException []"), output);
    assertTrue(answers.contains(StrictAppends.MARK + "untrue: 1"), "ours was asked: " + output);
  }
}
