// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every count is a meter, and no meter moves that should not. */
class ValidationMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ValidationCounts counts = new ValidationCounts();
  private final BatchValidator validator = new BatchValidator().listener(counts);
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validator.close();
    registry.close();
  }

  private void inspect(ByteBuffer batch, Policy policy) {
    validator.inspect(batch, policy, Batches.nowMs(), verdict);
  }

  private static ByteBuffer batch(Codec codec, RecordBytes record) {
    return Batches.ofPlain(codec, 1, record.toBytes());
  }

  /** Returns the meters that are not 0, except for the buckets. */
  private Map<String, Double> nonZero() {
    Map<String, Double> found = new TreeMap<>();
    for (Meter meter : registry.getMeters()) {
      double count = ((FunctionCounter) meter).count();
      if (count != 0 && meter.getId().getTag("le") == null) {
        found.put(name(meter.getId()), count);
      }
    }
    return found;
  }

  private static String name(Meter.Id id) {
    String tag = id.getTags().get(0).getValue();
    return id.getName().substring("batchvalidator.batches.".length()) + " " + tag;
  }

  private double bucket(String name, String bound) {
    return registry.get(name).tag("le", bound).functionCounter().count();
  }

  @Test
  void metersFollowTheCounts() {
    new ValidationMeters(counts).bindTo(registry);
    assertEquals(Map.of(), nonZero());
    inspect(batch(Codec.LZ4, new RecordBytes()), Policy.CLIENT);
    assertEquals(Map.of("accepted lz4", 1.0), nonZero());
    Policy observing =
        Policy.builder(Origin.CLIENT)
            .observing(true)
            .target(Target.PRODUCER.withMagic((byte) 1))
            .build();
    inspect(batch(Codec.NONE, new RecordBytes().attributes(1)), observing);
    Policy strict = Policy.builder(Origin.CLIENT).level(Level.STRICT).build();
    inspect(batch(Codec.GZIP, new RecordBytes().attributes(1)), strict);
    inspect(ByteBuffer.allocate(100), strict);
    assertEquals(
        Map.of(
            "accepted lz4", 1.0,
            "accepted none", 1.0,
            "rebuilt other_magic", 1.0,
            "found RECORD_ATTRIBUTES_RESERVED", 2.0,
            "refused gzip", 1.0,
            "refused unknown", 1.0,
            "refused.reasons RECORD_ATTRIBUTES_RESERVED", 1.0,
            "refused.reasons FRAMING_LENGTH_TOO_SMALL", 1.0),
        nonZero());
  }

  @Test
  void bucketsIncludeTheSmallerOnes() {
    new ValidationMeters(counts).bindTo(registry);
    byte[] value = new byte[300];
    RecordBytes record = new RecordBytes().value(RecordBytes.varint(value.length, 1), value);
    inspect(batch(Codec.ZSTD, record), Policy.CLIENT);
    inspect(batch(Codec.NONE, new RecordBytes()), Policy.CLIENT);
    assertEquals(0, bucket(ValidationMeters.PLAIN_BYTES, "4"));
    assertEquals(1, bucket(ValidationMeters.PLAIN_BYTES, "256"));
    assertEquals(2, bucket(ValidationMeters.PLAIN_BYTES, "512"));
    assertEquals(2, bucket(ValidationMeters.PLAIN_BYTES, "+Inf"));
    assertEquals(0, bucket(ValidationMeters.RATIO, "2"));
    assertEquals(1, bucket(ValidationMeters.RATIO, "4"));
    assertEquals(1, bucket(ValidationMeters.RATIO, "+Inf"));
  }

  @Test
  void everyConstantHasAMeterWithTheTagsOfTheHost() {
    new ValidationMeters(counts, Tags.of("broker", "7")).bindTo(registry);
    long findings = Arrays.stream(Reason.values()).filter(Reason::isFinding).count();
    int expected =
        2 * Codec.count()
            + 1
            + Reason.values().length
            + (int) findings
            + RebuildCause.values().length
            + counts.plainBytes().buckets()
            + counts.ratio().buckets();
    assertEquals(expected, registry.getMeters().size());
    for (Meter meter : registry.getMeters()) {
      assertEquals("7", meter.getId().getTag("broker"));
      assertEquals(2, meter.getId().getTags().size());
      assertEquals("batches", meter.getId().getBaseUnit());
    }
  }

  /**
   * A registry keeps the first meter of a name, so a new count must remove the old meters first.
   */
  @Test
  void closedMetersMakeRoomForOthers() {
    ValidationMeters first = new ValidationMeters(counts);
    first.bindTo(registry);
    inspect(batch(Codec.NONE, new RecordBytes()), Policy.CLIENT);
    assertEquals(1, bucket(ValidationMeters.PLAIN_BYTES, "+Inf"));
    first.close();
    assertEquals(0, registry.getMeters().size());
    new ValidationMeters(new ValidationCounts()).bindTo(registry);
    assertEquals(0, bucket(ValidationMeters.PLAIN_BYTES, "+Inf"));
  }

  @Test
  void everyNameIsDocumented() throws Exception {
    new ValidationMeters(counts).bindTo(registry);
    String text = Files.readString(Path.of("..", "docs", "metrics.md"));
    for (Meter meter : registry.getMeters()) {
      String name = meter.getId().getName();
      assertTrue(text.contains("`" + name + "`"), name);
    }
  }
}
