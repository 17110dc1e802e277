// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.watch.ValidationListener;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Heap or direct memory that runs out costs the append it runs out in, and no later one. */
class MemoryThatRunsOutIT {
  private static String run(List<String> options, Class<?> main) throws Exception {
    return BrokerJvm.run(
        BrokerJvm.brokerWithTests(System.getProperty("kafka.version")),
        options,
        List.of(main.getName()));
  }

  /**
   * A class whose initialisation fails is unusable for good. What {@link
   * ValidationListener#flightRecorder} needs may fail: it is caught there.
   */
  @Test
  void theFirstRefusalInitialisesNothingThatLaterOnesNeed() throws Exception {
    String output = run(List.of("-Xlog:class+init=info"), FirstRefusal.class);
    int from = output.indexOf(FirstRefusal.ACCEPTED);
    int to = output.indexOf(FirstRefusal.REFUSED);
    assertTrue(0 < from && from < to, output);
    List<String> initialised =
        output
            .substring(from, to)
            .lines()
            .filter(line -> line.contains("Initializing 'io/github/batchvalidator/"))
            .filter(line -> !line.contains("(no method)"))
            .map(line -> line.replaceAll(".*Initializing '([^']*)'.*", "$1"))
            .toList();
    assertEquals(List.of("io/github/batchvalidator/watch/RefusedBatchEvent"), initialised);
  }

  /** As where the output could not grow. */
  @Test
  void aCopyWithoutRoomIsARefusal() throws Exception {
    String output =
        run(
            List.of(
                "-Xmx64m",
                "-Xmn4m", // room to grow to 32 MiB, and none for 31 more
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"),
            RebuiltWithoutRoom.class);
    assertEquals(
        """
        org.apache.kafka.common.errors.RecordTooLargeException: Batch for orders-3 is refused: the rebuilt batch needs at least 32506320 bytes, the limit is 0
        next offset: 38
        next offset: 8
        accepted: 1
        refused: 1
        """,
        output);
  }

  /** The second walk over uncompressed records finds no fault then. */
  @Test
  void aRecordWithoutRoomIsARefusal() throws Exception {
    String output =
        run(
            List.of(
                "-Xmx64m",
                "-XX:MaxDirectMemorySize=256m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"),
            ReadWithoutRoom.class);
    assertEquals("InvalidRecordException\nrefused: 1\n", output);
  }

  /** In place, rebuilt, and only checked. */
  @Test
  void aBlockWithoutRoomIsARefusalToRetry() throws Exception {
    String output =
        run(
            List.of("-Xmx64m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"),
            BlockWithoutRoom.class);
    String refusal =
        "Batch for orders-3 is refused: there is no memory for codec id 2 at the moment\n";
    assertEquals(
        refusal.repeat(3)
            + """
            held: true
            accepted: 4
            refused: 3
            """,
        output);
  }

  /** Producers retry: "library not available" and "corrupt" would make them drop the batch. */
  @Test
  void aLackOfDirectMemoryIsARefusalToRetry() throws Exception {
    String output =
        run(
            List.of("-XX:MaxDirectMemorySize=2m", "--enable-native-access=ALL-UNNAMED"),
            DirectMemoryThatRunsOut.class);
    String refusal =
        """
        Batch for orders-3 is refused: there is no memory for codec id 4 at the moment
        cause: java.lang.OutOfMemoryError
        """;
    assertEquals(
        refusal
            + refusal
            + """
            held: true
            accepted: 3
            refused: 2
            """,
        output);
  }
}
