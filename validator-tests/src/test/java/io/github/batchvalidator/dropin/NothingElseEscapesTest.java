// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Nothing but Kafka's own exceptions comes out of the drop-in, in a small heap with small stacks
 * too: an {@code IOException} would take a log directory offline, an {@code Error} a request
 * thread.
 */
class NothingElseEscapesTest {
  @Test
  void onlyKafkasExceptionsComeOut() throws Exception {
    String said =
        ChildJvm.run(
            ChildJvm.brokerWithTests(System.getProperty("kafka.version")),
            List.of("-Xmx64m", "-Xss256k"),
            List.of(HostileAppends.class.getName(), String.valueOf(System.nanoTime())));
    List<String> escaped =
        said.lines().filter(line -> line.startsWith(HostileAppends.ESCAPED)).toList();
    assertEquals(List.of(), escaped, said);
    assertTrue(said.lines().anyMatch(line -> line.startsWith(HostileAppends.END)), said);
    for (String outcome :
        List.of("accepted=", "InvalidRecordException=", "CorruptRecordException=")) {
      assertTrue(said.contains(outcome), said);
    }
  }
}
