// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fork;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Appends of the fork are Kafka's: what is stored, and what is answered. */
class EarlyAppendTest {
  private static final Map<String, String> DEFAULTS = Map.of();
  private static final Map<String, String> COMPACTED = Map.of("cleanup.policy", "compact");
  private static final long FAR_MS = 86_400_000;

  private static SimpleRecord record(long timestamp, @Nullable String key) {
    byte[] value = "value".repeat(100).getBytes(UTF_8);
    return new SimpleRecord(timestamp, key == null ? null : key.getBytes(UTF_8), value);
  }

  private static ByteBuffer batch(Codec codec) {
    long nowMs = Batches.nowMs();
    return Batches.of(codec, record(nowMs, "a"), record(nowMs - 3, "b"), record(nowMs - 2, "c"));
  }

  private static ByteBuffer without(Codec codec, String what) {
    ByteBuffer batch = batch(codec);
    long nowMs = Batches.nowMs();
    return switch (what) {
      case "key" -> Batches.of(codec, record(nowMs, "a"), record(nowMs, null), record(nowMs, null));
      case "time" -> Batches.of(codec, record(nowMs + FAR_MS, "a"), record(nowMs, "b"));
      case "count" -> Batches.fixCrc(batch.putInt(BatchLayout.RECORD_COUNT_OFFSET, 2));
      case "payload" -> Batches.fixCrc(batch.put(BatchLayout.HEADER_BYTES + 1, (byte) 0));
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static void assertStockIsAsked(ForkedAppend append) {
    assertEquals(append.stock(), append.fork());
    assertEquals(1, append.stockCalls());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsAcceptedIsStoredAsByKafka(Codec codec) {
    for (String stored : List.of("producer", "uncompressed", "gzip", "snappy", "lz4", "zstd")) {
      for (String type : List.of("CreateTime", "LogAppendTime")) {
        Map<String, String> topic =
            Map.of("compression.type", stored, "message.timestamp.type", type);
        ForkedAppend append = ForkedAppend.of(batch(codec), topic);
        ForkedAppend.Outcome stock = append.stock();
        assertTrue(stock.accepted());
        assertEquals(stock, append.fork(), () -> codec + " to " + topic);
        assertEquals(0, append.stockCalls());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, NONE", "0, GZIP", "1, NONE", "1, LZ4"})
  void olderMessagesAreConvertedAsByKafka(byte magic, Codec codec) {
    SimpleRecord[] records = {record(Batches.nowMs(), "a"), record(Batches.nowMs(), "b")};
    ByteBuffer messages =
        MemoryRecords.withRecords(magic, Batches.compression(codec), records).buffer();
    for (String stored : List.of("producer", "zstd")) {
      ForkedAppend append = ForkedAppend.of(messages, Map.of("compression.type", stored));
      assertEquals(append.stock(), append.fork());
      assertEquals(0, append.stockCalls());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "LZ4", "ZSTD"})
  void theLevelIsThatOfTheTopic(Codec codec) {
    String name = codec.name().toLowerCase(Locale.ROOT);
    Map<String, String> topic =
        Map.of("compression.type", name, "compression." + name + ".level", "1");
    assertEquals(1, TopicPolicy.of(new LogConfig(topic)).policy().target().level());
  }

  @ParameterizedTest
  @CsvSource({"NONE, key", "ZSTD, key", "NONE, time", "GZIP, time", "LZ4, count", "ZSTD, payload"})
  void aRejectionIsKafkas(Codec codec, String missing) {
    ForkedAppend append = ForkedAppend.of(without(codec, missing), COMPACTED);
    assertFalse(append.stock().accepted());
    assertStockIsAsked(append);
  }

  @Test
  void aRejectionOfWhatIsRecompressedIsKafkas() {
    assertStockIsAsked(
        ForkedAppend.of(without(Codec.GZIP, "time"), Map.of("compression.type", "zstd")));
  }

  @Test
  void whatIsBeyondALimitIsRejectedBeforeTheLock() {
    LogConfig config = new LogConfig(DEFAULTS);
    Policy policy =
        TopicPolicy.of(config).policy().toBuilder()
            .limits(Limits.GENEROUS.with(Limit.RECORDS, 2))
            .build();
    TopicPolicy topic = new TopicPolicy(config, policy);
    MemoryRecords records = MemoryRecords.readableRecords(batch(Codec.LZ4));
    RecordValidationException thrown =
        assertThrows(
            RecordValidationException.class,
            () -> EarlyAppend.of(records, topic, CompressionType.LZ4, Time.SYSTEM));
    assertInstanceOf(InvalidRecordException.class, thrown.invalidException());
    String text = thrown.invalidException().toString();
    assertTrue(text.contains("3 records, the limit is 2"), text);
  }

  @Test
  void settingsThatChangeBeforeTheLockApply() {
    ByteBuffer keyless = without(Codec.LZ4, "key");
    ForkedAppend append = ForkedAppend.of(keyless, DEFAULTS);
    assertTrue(append.fork().accepted());
    ForkedAppend.Outcome changed = append.fork(new LogConfig(COMPACTED));
    assertEquals(1, append.stockCalls());
    assertEquals(ForkedAppend.of(keyless, COMPACTED).stock(), changed);
  }

  @ParameterizedTest
  @EnumSource(names = {"COORDINATOR", "REPLICATION"})
  void whatBrokersWriteIsValidatedUnderTheLock(AppendOrigin origin) {
    assertStockIsAsked(new ForkedAppend(batch(Codec.NONE), new LogConfig(DEFAULTS), origin));
  }

  @Test
  void aSecondBatchIsRejectedAsByKafka() {
    ByteBuffer one = batch(Codec.ZSTD);
    ByteBuffer two =
        ByteBuffer.allocate(2 * one.remaining()).put(one.duplicate()).put(one.duplicate()).flip();
    ForkedAppend append = ForkedAppend.of(two, DEFAULTS);
    assertFalse(append.stock().accepted());
    assertStockIsAsked(append);
  }

  @Test
  void closedAppendsAreUsedAgain() {
    EarlyAppends appends = new EarlyAppends();
    LogConfig config = new LogConfig(DEFAULTS);
    EarlyAppend first = begin(appends, config);
    EarlyAppend second = begin(appends, config);
    second.close();
    EarlyAppend third = begin(appends, config);
    assertSame(second, third);
    first.close();
    third.close();
  }

  /** Memory for a rare batch would otherwise stay until the broker stops. */
  @Test
  void anAppendThatHoldsMuchMemoryIsDropped() {
    EarlyAppends appends = new EarlyAppends();
    LogConfig config = new LogConfig(Map.of("compression.type", "uncompressed"));
    ByteBuffer large =
        Batches.of(Codec.GZIP, new SimpleRecord(Batches.nowMs(), null, new byte[20 << 20]));
    EarlyAppend first = begin(appends, config, large, CompressionType.GZIP);
    first.close();
    EarlyAppend second = begin(appends, config);
    assertNotSame(first, second);
    second.close();
  }

  private static EarlyAppend begin(EarlyAppends appends, LogConfig config) {
    return begin(appends, config, batch(Codec.NONE), CompressionType.NONE);
  }

  private static EarlyAppend begin(
      EarlyAppends appends, LogConfig config, ByteBuffer batch, CompressionType codec) {
    return appends.begin(
        MemoryRecords.readableRecords(batch),
        AppendOrigin.CLIENT,
        codec,
        RecordBatch.CURRENT_MAGIC_VALUE,
        config,
        Time.SYSTEM);
  }
}
