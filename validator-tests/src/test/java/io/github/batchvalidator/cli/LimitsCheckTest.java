// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.audit.report.CompareReason;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.audit.report.TieredReason;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of {@code check}, and where a fault says that its rule is explained. */
class LimitsCheckTest {
  private static final Path RULES = Path.of("..", "docs", "rules.md");

  @TempDir private Path directory;

  /**
   * Two records, of which the second has two headers of 4 bytes each, in an lz4 block of 64 KiB.
   */
  private Path segment() {
    byte[] first = new RecordBytes().toBytes();
    byte[] second =
        new RecordBytes()
            .offsetDelta(varint(1, 1))
            .value(varint(1 << 20, 1), new byte[1 << 20])
            .headerCount(varint(2, 1))
            .header(new byte[] {'a'}, new byte[1])
            .header(new byte[] {'b'}, new byte[1])
            .toBytes();
    byte[] plain = new byte[first.length + second.length];
    System.arraycopy(first, 0, plain, 0, first.length);
    System.arraycopy(second, 0, plain, first.length, second.length);
    byte[] segment = new SegmentBytes().add(Batches.ofPlain(Codec.LZ4, 2, plain)).toByteArray();
    return SegmentBytes.write(directory, "some.log", segment);
  }

  @ParameterizedTest
  @CsvSource({
    "--limit-plain-bytes, 1048607, LIMIT_PLAIN_BYTES",
    "--limit-records, 2, LIMIT_RECORDS",
    "--limit-record-bytes, 1048594, LIMIT_RECORD_BYTES",
    "--limit-headers, 2, LIMIT_HEADERS",
    "--limit-header-bytes, 8, LIMIT_HEADER_BYTES",
  })
  void everyLimitHasAnOption(String option, int exact, String reason) {
    Path path = segment();
    Run enough = Run.json(option, exact, path);
    assertEquals(0, enough.exitCode(), enough::out);
    Run tight = Run.json(option, exact - 1, path);
    assertEquals(1, tight.exitCode());
    assertEquals(List.of(reason + "@0"), tight.faults());
    JsonNode fault = tight.objects("fault").get(0);
    assertTrue(fault.get("message").asText().endsWith("the limit is " + (exact - 1)), tight.out());
  }

  @Test
  void aRatioAndAWindowCanBeTooLarge() {
    Path path = segment();
    assertEquals(List.of("LIMIT_RATIO@0"), Run.json("--limit-ratio", 2, path).faults());
    assertEquals(List.of(), Run.json("--limit-ratio", 10_000, path).faults());
    RecordBytes large = new RecordBytes().value(varint(9 << 20, 1), new byte[9 << 20]);
    byte[] zstd = Batches.compress(Batches.compression(Codec.ZSTD, 22), (byte) 2, large.toBytes());
    Path wide =
        SegmentBytes.write(
            directory,
            "wide.log",
            new SegmentBytes().add(Batches.ofPayload(Codec.ZSTD, 1, zstd)).toByteArray());
    assertEquals(0, Run.json(wide).exitCode());
    List<String> refused = List.of("LIMIT_CODEC_MEMORY@0");
    assertEquals(refused, Run.json("--limit-codec-memory-bytes", 1 << 23, wide).faults());
    assertEquals(refused, Run.json("--limits", "broker-default", wide).faults());
    Run lifted = Run.json("--limits=broker-default", "--limit-codec-memory-bytes=134217728", wide);
    assertEquals(List.of("LIMIT_RATIO@0"), lifted.faults());
  }

  @ParameterizedTest
  @CsvSource({
    "--limits=broker, 'must be unbounded-as-kafka, generous or broker-default, not broker'",
    "--limit-plain-bytes=-1, 'must be a whole number from 0 to 9223372036854775807, not -1'",
    "--limit-ratio=0, 'must be a whole number from 1 to 2147483647, not 0'",
    "--limit-records=few, 'must be a whole number from 1 to 2147483647, not few'",
    "--limit-record-bytes=0, 'must be a whole number from 1 to 2147483639, or 2147483647 for'",
    "--limit-headers=-1, 'must be a whole number from 0 to 2147483647, not -1'",
    "--limit-header-bytes=1k, 'must be a whole number from 0 to 2147483647, not 1k'",
    "--limit-codec-memory-bytes=1, 'must be a whole number from 65536 to 134217728, not 1'"
  })
  void wrongValuesAreRefusedWithTheLegalOnes(String argument, String said) {
    Run run = Run.of(argument);
    assertEquals(2, run.exitCode());
    assertEquals("", run.out());
    String option = argument.substring(0, argument.indexOf('='));
    assertTrue(run.err().contains(option + " " + said), run.err());
  }

  /** Honest batches stay within them. */
  @Test
  void theSampleStaysWithinTheLimitsOfABroker() {
    Run run = Run.json("--sample", "--limits=broker-default");
    assertEquals(0, run.exitCode(), run::out);
    assertTrue(run.summary().get("batches").asInt() > 0);
  }

  /** A report says at its end how to learn more of each rule. */
  @Test
  void aReportNamesTheOptionThatExplainsARule() {
    Path path = segment();
    Run json = Run.json("--limit-records=1", path);
    assertEquals(
        "https://github.com/batchvalidator/batchvalidator/blob/main/docs/rules.md#limit_records",
        json.objects("fault").get(0).get("page").asText());
    String command = "java -jar check.jar --explain LIMIT_RECORDS";
    Run text = Run.of("--limit-records=1", path.toString(), path.toString());
    assertEquals(1, text.out().lines().filter(command::equals).count(), text::out);
    assertFalse(Run.of(path.toString()).out().contains("--explain"));
  }

  @Test
  void everyPageExists() throws IOException {
    String rules = Files.readString(RULES);
    Stream.<Enum<?>[]>of(
            Reason.values(),
            SegmentReason.values(),
            PartitionReason.values(),
            TieredReason.values(),
            CompareReason.values())
        .flatMap(Stream::of)
        .map(Enum::name)
        .forEach(
            name -> {
              String anchor = "<a id=\"" + name.toLowerCase(Locale.ROOT) + "\"></a>`" + name + "`";
              assertTrue(rules.contains(anchor), anchor);
            });
  }
}
