// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Observe first, enforce later: the same appends with each setting. */
class StrictAppendsIT {
  private static final String ACCEPTED = "accepted, next offset 8";
  private static final String TWO_ACCEPTED = "accepted, next offset 9";
  private static final String REFUSED_BY_OFFSET = "RecordValidationException [OFFSET]";
  private static final String REFUSED = "RecordValidationException []";

  private static Map<String, String> run(String... settings) throws Exception {
    List<String> options = new ArrayList<>(List.of(settings));
    options.add("--enable-native-access=ALL-UNNAMED");
    String output =
        BrokerJvm.run(
            BrokerJvm.brokerWithTests(System.getProperty("kafka.version")),
            options,
            List.of(StrictAppends.class.getName()));
    Map<String, String> found = new TreeMap<>();
    for (String line : output.lines().filter(it -> it.startsWith(StrictAppends.MARK)).toList()) {
      String[] words = line.substring(StrictAppends.MARK.length()).split(": ", 2);
      found.put(words[0], words[1]);
    }
    assertEquals(9, found.size(), output);
    return found;
  }

  private static Map<String, String> expected(
      String strict, int untrue, int reserved, int outOfTurn) {
    return Map.of(
        "honest",
        ACCEPTED,
        "in place",
        strict,
        "plain",
        strict,
        "rebuilt",
        strict,
        "renumbered",
        strict.equals(ACCEPTED) ? TWO_ACCEPTED : REFUSED_BY_OFFSET,
        "refused",
        "InvalidRecordException []",
        "untrue",
        "" + untrue,
        "reserved",
        "" + reserved,
        "out of turn",
        "" + outOfTurn);
  }

  @Test
  void byDefaultNothingIsLookedFor() throws Exception {
    assertEquals(expected(ACCEPTED, 0, 0, 0), run());
  }

  @Test
  void observingCountsAndRefusesNothingMore() throws Exception {
    assertEquals(expected(ACCEPTED, 1, 2, 1), run("-Dbatchvalidator.observe=true"));
  }

  @Test
  void strictRefuses() throws Exception {
    assertEquals(expected(REFUSED, 1, 2, 1), run("-Dbatchvalidator.level=strict"));
  }
}
