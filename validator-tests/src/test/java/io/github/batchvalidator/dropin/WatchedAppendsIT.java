// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker's counts over JMX, and its refused batches in the flight recorder. */
class WatchedAppendsIT {
  @TempDir private Path directory;

  @Test
  void appendsAreSeenFromOutsideWithTheJarLoadedTwice() throws Exception {
    String output =
        BrokerJvm.run(
            BrokerJvm.brokerWithTests(System.getProperty("kafka.version")),
            List.of("--enable-native-access=ALL-UNNAMED"),
            List.of(WatchedAppends.class.getName(), directory.resolve("recording.jfr").toString()));
    assertEquals(
        """
        before: false
        copy: true
        thrown: InvalidRecordException
        line: 4.3
        accepted: 2
        refused: 1
        by reason: 1
        event: orders-3 RECORD_HEADER_COUNT_INVALID
        """,
        output);
  }
}
