// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The presets, and the values that a limit accepts. */
class LimitsTest {
  @Test
  void asKafkaOnlyMemoryIsBounded() {
    Limits kafka = Limits.UNBOUNDED_AS_KAFKA;
    assertEquals(Long.MAX_VALUE, kafka.plainBytes());
    assertEquals(Integer.MAX_VALUE, kafka.ratio());
    assertEquals(Long.MAX_VALUE, kafka.ratioBytes(0));
    assertEquals(Integer.MAX_VALUE, kafka.records());
    assertEquals(Limits.UNLIMITED, kafka.recordBytes());
    assertEquals(Integer.MAX_VALUE, kafka.headers());
    assertEquals(Integer.MAX_VALUE, kafka.headerBytes());
    assertEquals(1 << 27, kafka.codecMemoryBytes());
    assertEquals(1 << 27, kafka.rebuiltBytes());
  }

  /** "The bytes of a batch" of Kafka is an int everywhere: on the wire, in its writer. */
  @Test
  void byDefaultTheWorkIsBoundedBeyondAnyRealBatch() {
    assertEquals(
        Limits.UNBOUNDED_AS_KAFKA.with(Limit.PLAIN_BYTES, Integer.MAX_VALUE), Limits.GENEROUS);
    assertSame(Limits.GENEROUS, Policy.CLIENT.limits());
    assertSame(Limits.GENEROUS, Policy.STORED.limits());
  }

  @Test
  void theTextNamesTheLimitsThatAreSet() {
    assertEquals(
        "Limits{ratio=7, codecMemoryBytes=134217728, rebuiltBytes=134217728}",
        Limits.UNBOUNDED_AS_KAFKA.with(Limit.RATIO, 7).toString());
  }

  @Test
  void aBrokerBoundsWorkToo() {
    Limits broker = Limits.BROKER_DEFAULT;
    assertEquals(128L << 20, broker.plainBytes());
    assertEquals(256, broker.ratio());
    assertEquals(1_048_576, broker.records());
    assertEquals(32 << 20, broker.recordBytes());
    assertEquals(1024, broker.headers());
    assertEquals(256 << 10, broker.headerBytes());
    assertEquals(8 << 20, broker.codecMemoryBytes());
    assertEquals(128 << 20, broker.rebuiltBytes());
  }

  @ParameterizedTest
  @EnumSource(Limit.class)
  void aBrokersPresetIsNowhereLooser(Limit limit) {
    assertTrue(Limits.BROKER_DEFAULT.get(limit) <= Limits.UNBOUNDED_AS_KAFKA.get(limit));
    assertTrue(limit.isLegal(Limits.BROKER_DEFAULT.get(limit)));
    assertTrue(limit.isLegal(Limits.UNBOUNDED_AS_KAFKA.get(limit)));
  }

  @Test
  void equalToNothingButLimits() {
    assertNotEquals(Limits.BROKER_DEFAULT, null);
    assertNotEquals(Limits.BROKER_DEFAULT, (Object) Limits.BROKER_DEFAULT.toString());
  }

  @Test
  void presetsAreFoundByName() {
    assertSame(Limits.UNBOUNDED_AS_KAFKA, Limits.preset("unbounded-as-kafka"));
    assertSame(Limits.BROKER_DEFAULT, Limits.preset("broker-default"));
    assertNull(Limits.preset("BROKER_DEFAULT"));
    assertSame(Limits.GENEROUS, Limits.preset("generous"));
    for (String name : Limits.PRESETS) {
      assertTrue(Limits.preset(name) != null, name);
      assertTrue(Limits.PRESET_NAMES.contains(name), name);
      assertEquals(name, String.valueOf(Limits.preset(name)));
    }
  }

  @ParameterizedTest
  @EnumSource(Limit.class)
  void oneLimitIsChangedAtATime(Limit limit) {
    long value = limit == Limit.CODEC_MEMORY_BYTES ? 1 << 17 : 5;
    Limits changed = Limits.BROKER_DEFAULT.with(limit, value);
    assertNotEquals(Limits.BROKER_DEFAULT, changed);
    assertEquals(Limits.BROKER_DEFAULT.with(limit, value), changed);
    assertEquals(Limits.BROKER_DEFAULT.with(limit, value).hashCode(), changed.hashCode());
    assertTrue(changed.toString().contains(limit.label() + "=" + value), changed.toString());
    for (Limit each : Limit.values()) {
      assertEquals(each == limit ? value : Limits.BROKER_DEFAULT.get(each), changed.get(each));
      assertEquals(changed.get(each), read(changed, each));
    }
  }

  private static long read(Limits limits, Limit which) {
    return switch (which) {
      case PLAIN_BYTES -> limits.plainBytes();
      case RATIO -> limits.ratio();
      case RECORDS -> limits.records();
      case RECORD_BYTES -> limits.recordBytes();
      case HEADERS -> limits.headers();
      case HEADER_BYTES -> limits.headerBytes();
      case CODEC_MEMORY_BYTES -> limits.codecMemoryBytes();
      case REBUILT_BYTES -> limits.rebuiltBytes();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN_BYTES, 0, 9223372036854775807",
    "RATIO, 1, 2147483647",
    "RECORDS, 1, 2147483647",
    "RECORD_BYTES, 1, 2147483647",
    "HEADERS, 0, 2147483647",
    "HEADER_BYTES, 0, 2147483647",
    "CODEC_MEMORY_BYTES, 65536, 134217728",
    "REBUILT_BYTES, 1, 2147483639"
  })
  void bothEndsOfARangeAreLegal(Limit limit, long least, long most) {
    for (long value : new long[] {least, most}) {
      assertEquals(value, Limits.BROKER_DEFAULT.with(limit, value).get(limit));
      assertEquals(value, limit.parse(Long.toString(value)));
      assertTrue(limit.legalValues().contains(Long.toString(value)), limit.legalValues());
    }
    assertRefused(limit, least - 1);
    if (most < Long.MAX_VALUE) {
      assertRefused(limit, most + 1);
    }
    assertNull(limit.parse("9223372036854775808"));
    assertNull(limit.parse("1 MiB"));
  }

  /** No value is legal between the largest limit of Kafka 4.4 and the value for no limit. */
  @ParameterizedTest
  @CsvSource({"2147483639, true", "2147483640, false", "2147483646, false", "2147483647, true"})
  void aRecordIsLimitedAsIn44OrNotAtAll(long bytes, boolean legal) {
    assertEquals(legal, Limit.RECORD_BYTES.isLegal(bytes));
    if (!legal) {
      assertRefused(Limit.RECORD_BYTES, bytes);
    }
  }

  private static void assertRefused(Limit limit, long value) {
    assertFalse(limit.isLegal(value));
    assertNull(limit.parse(Long.toString(value)));
    IllegalArgumentException said =
        assertThrows(
            IllegalArgumentException.class, () -> Limits.BROKER_DEFAULT.with(limit, value));
    assertEquals(
        limit.label() + " is " + value + ", legal is " + limit.legalValues(), said.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 1048576",
    "1, 1048576, 1048576",
    "1, 1048577, 1048577",
    "256, 4096, 1048576",
    "256, 4097, 1048832",
    "2147483646, 2147483647, 4611686011984936962",
    "2147483647, 1, 9223372036854775807"
  })
  void aRatioAllowsAtLeastOneMebibyte(int ratio, int payloadBytes, long allowed) {
    assertEquals(
        allowed, Limits.UNBOUNDED_AS_KAFKA.with(Limit.RATIO, ratio).ratioBytes(payloadBytes));
  }

  @Test
  void limitsThatDifferAreNotEqual() {
    assertNotEquals(Limits.UNBOUNDED_AS_KAFKA, Limits.BROKER_DEFAULT);
  }
}
