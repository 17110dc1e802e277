// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The allocation of an accepted append in place with the jar of 4.3, inspected before the lock or
 * under it. The bytes include the objects of Kafka's signatures, and are the same for every codec,
 * number and size of records.
 */
class AppendAllocationIT {
  @Test
  void allocatesTheSameFewBytesForEveryBatch() throws Exception {
    String version = System.getProperty("kafka.version");
    String output =
        BrokerJvm.run(
            BrokerJvm.brokerWithTests(version),
            List.of("-Xmx512m", "-XX:-DoEscapeAnalysis", "--enable-native-access=ALL-UNNAMED"),
            List.of(AppendAllocation.class.getName()));
    Map<String, Long> bytes = new TreeMap<>();
    for (String line : output.lines().toList()) {
      String[] words = line.split(": ", 2);
      assertEquals(2, words.length, output);
      bytes.put(words[0], Long.valueOf(words[1]));
    }
    int inPlace = Codec.count() * AppendAllocation.BATCHES;
    assertEquals(inPlace, values(bytes, "EARLY").count(), output);
    assertEquals(16, values(bytes, "REBUILT").count(), output);
    assertEquals(2 * inPlace + 16, bytes.size(), output);
    Stream<Long> stored = values(bytes, "NONE");
    assertEquals(1, stored.distinct().count(), output);
    assertEquals(1, values(bytes, "GZIP", "SNAPPY", "LZ4", "ZSTD").distinct().count(), output);
    assertEquals(1, values(bytes, "EARLY NONE").distinct().count(), output);
    assertEquals(
        1,
        values(bytes, "EARLY GZIP", "EARLY SNAPPY", "EARLY LZ4", "EARLY ZSTD").distinct().count(),
        output);
    String[] others =
        Stream.of("NONE", "GZIP", "SNAPPY", "LZ4")
            .map(codec -> "REBUILT to " + codec)
            .toArray(String[]::new);
    assertEquals(1, values(bytes, others).distinct().count(), output);
    assertEquals(1, values(bytes, "REBUILT to ZSTD").distinct().count(), output);
    assertTrue(mostOf(bytes, "NONE", "EARLY NONE") <= AppendAllocation.MOST_PLAIN_BYTES, output);
    assertTrue(
        mostOf(bytes, "GZIP", "SNAPPY", "LZ4", "ZSTD", "EARLY") <= AppendAllocation.MOST_BYTES,
        output);
    assertTrue(mostOf(bytes, others) <= AppendAllocation.MOST_REBUILT_BYTES, output);
    assertTrue(mostOf(bytes, "REBUILT") <= AppendAllocation.MOST_REBUILT_TO_ZSTD_BYTES, output);
  }

  private static long mostOf(Map<String, Long> bytes, String... codecs) {
    return values(bytes, codecs).mapToLong(Long::longValue).max().orElse(Long.MAX_VALUE);
  }

  private static Stream<Long> values(Map<String, Long> bytes, String... codecs) {
    return bytes.entrySet().stream()
        .filter(e -> Arrays.stream(codecs).anyMatch(codec -> e.getKey().startsWith(codec)))
        .map(Map.Entry::getValue);
  }
}
