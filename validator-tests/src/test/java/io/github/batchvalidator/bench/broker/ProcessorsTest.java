// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorsTest {
  @Test
  void theHalvesOfWhatTasksetSays() {
    Processors processors = Processors.parse("pid 7's current affinity list: 0,2-5\n");
    assertEquals(List.of(0, 2), processors.ofBrokers());
    assertEquals(List.of(3, 4, 5), processors.ofProducers());
    assertEquals(
        "brokers on 0,2, producers on 3,4,5; one partition with more producers: both on 0,2,3,4,5",
        processors.description());
  }

  /** It would fail if it called the command. */
  @Test
  void aSingleOneIsNotShared() throws Exception {
    Processors processors = Processors.parse("pid 7's current affinity list: 3");
    assertFalse(processors.canPin());
    processors.pin(Long.MAX_VALUE, processors.ofBrokers());
    assertEquals("not pinned", processors.description());
  }
}
