// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.AppendSettings;
import io.github.batchvalidator.dropin.RecordedMetrics;
import io.github.batchvalidator.dropin.append.LineValidator;
import io.github.batchvalidator.dropin.refusal.Metric;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.Proxies;
import io.github.batchvalidator.testing.RecordBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shadow mode serves Kafka's answer, no matter what our validator does. */
class ShadowTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);

  private final Shadow shadow = Shadow.link(ShadowTest.class.getClassLoader());
  private final RecordedMetrics metrics = new RecordedMetrics();
  private final LongRef offset = PrimitiveRef.ofLong(7);

  /** Stands for ours, and does all that it should not. */
  public static final class Wild
      implements LineValidator<ValidationResult, LongRef, MetricsRecorder, BufferSupplier> {
    static String how = "";
    private final MemoryRecords records;

    public Wild(
        MemoryRecords records,
        TopicPartition partition,
        Time time,
        CompressionType source,
        Compression target,
        boolean compacted,
        byte toMagic,
        TimestampType type,
        long beforeMs,
        long afterMs,
        int epoch,
        AppendOrigin origin) {
      this.records = records;
      if (how.equals("construct")) {
        throw new IllegalStateException(how);
      }
    }

    @Override
    @SuppressWarnings("NullAway") // that it returns null is one of the things it should not do
    public ValidationResult validateMessagesAndAssignOffsets(
        LongRef counter, MetricsRecorder recorder, BufferSupplier supplier) {
      counter.value = 99;
      recorder.recordInvalidMagic();
      ByteBuffer buffer = records.buffer();
      while (buffer.hasRemaining()) {
        buffer.put((byte) 1);
      }
      switch (how) {
        case "error" -> throw new StackOverflowError(how);
        case "null" -> {
          return null;
        }
        default -> {
          return new ValidationResult(1, records, 2, true, null);
        }
      }
    }

    @Override
    public ValidationResult assignOffsetsNonCompressed(LongRef counter, MetricsRecorder recorder) {
      throw new AssertionError();
    }

    @Override
    public ValidationResult validateMessagesAndAssignOffsetsCompressed(
        LongRef counter, MetricsRecorder recorder, BufferSupplier supplier) {
      throw new AssertionError();
    }
  }

  private LineValidator<ValidationResult, LongRef, MetricsRecorder, BufferSupplier> validator(
      MemoryRecords records, Time time) {
    return shadow.validator(
        Wild.class,
        records,
        PARTITION,
        time,
        records.batches().iterator().next().compressionType(),
        Compression.NONE,
        true,
        (byte) 2,
        TimestampType.CREATE_TIME,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        5,
        AppendOrigin.CLIENT);
  }

  private static MemoryRecords records() {
    byte[] key = {'k'};
    byte[] record = new RecordBytes().key(RecordBytes.varint(1, 1), key).toBytes();
    return MemoryRecords.readableRecords(Batches.ofPlain(Codec.NONE, 1, record));
  }

  @ParameterizedTest
  @ValueSource(strings = {"construct", "error", "null", "nonsense"})
  void ourValidatorHasNoEffect(String how) {
    Wild.how = how;
    MemoryRecords expected = records();
    LongRef next = PrimitiveRef.ofLong(7);
    AppendSettings.of(AppendOrigin.CLIENT, 2, true)
        .validator(expected, CompressionType.NONE, Compression.NONE)
        .validateMessagesAndAssignOffsets(next, metrics, BufferSupplier.NO_CACHING);
    MemoryRecords records = records();
    ValidationResult result =
        validator(records, Time.SYSTEM)
            .validateMessagesAndAssignOffsets(offset, metrics, BufferSupplier.NO_CACHING);
    assertSame(records, result.validatedRecords());
    assertEquals(expected.buffer(), records.buffer());
    assertEquals(next.value, offset.value);
    assertEquals(List.of(), metrics.called());
    assertEquals(1, shadow.counts().appends());
    assertEquals(1, shadow.counts().differing(), shadow.counts().kinds()::toString);
    String kind = shadow.counts().kinds().keySet().iterator().next();
    String wanted =
        switch (how) {
          case "construct" -> "OURS_FAILED accepted IllegalStateException";
          case "error" -> "OURS_FAILED accepted StackOverflowError";
          case "null" -> "METRICS";
          default -> "OURS_FAILED comparing NullPointerException";
        };
    assertEquals(wanted, kind);
  }

  @Test
  @SuppressWarnings("NullAway") // who gives no counter is not answered, and cannot be compared
  void anUnrepeatableAppendIsCountedAsDifferent() {
    LineValidator<ValidationResult, LongRef, MetricsRecorder, BufferSupplier> validator =
        validator(records(), Time.SYSTEM);
    assertThrows(
        NullPointerException.class,
        () -> validator.validateMessagesAndAssignOffsets(null, metrics, BufferSupplier.NO_CACHING));
    assertEquals(1, shadow.counts().appends());
    assertEquals(1, shadow.counts().differing(), shadow.counts().kinds()::toString);
  }

  private static MemoryRecords withoutKey() {
    byte[] record = new RecordBytes().key(RecordBytes.varint(-1, 1), new byte[0]).toBytes();
    return MemoryRecords.readableRecords(Batches.ofPlain(Codec.NONE, 1, record));
  }

  @Test
  void metricsAreMarkedOnceAndByKafka() {
    Wild.how = "error";
    LineValidator<ValidationResult, LongRef, MetricsRecorder, BufferSupplier> validator =
        validator(withoutKey(), Time.SYSTEM);
    assertThrows(
        RecordValidationException.class,
        () ->
            validator.validateMessagesAndAssignOffsets(offset, metrics, BufferSupplier.NO_CACHING));
    assertEquals(List.of(Metric.NO_KEY), metrics.called());
  }

  @Test
  void exceptionsOfTheCallersRecorderAreThrown() {
    Wild.how = "nonsense";
    MemoryRecords records = withoutKey();
    Error mine = new Error("mine");
    List<String> called = new ArrayList<>();
    MetricsRecorder throwing =
        Proxies.of(
            MetricsRecorder.class,
            (proxy, method, arguments) -> {
              called.add(method.getName());
              throw mine;
            });
    LineValidator<ValidationResult, LongRef, MetricsRecorder, BufferSupplier> validator =
        validator(records, Time.SYSTEM);
    assertSame(
        mine,
        assertThrows(
            Error.class,
            () ->
                validator.validateMessagesAndAssignOffsets(
                    offset, throwing, BufferSupplier.NO_CACHING)));
    assertEquals(List.of("recordNoKeyCompactedTopic"), called);
  }

  @Test
  void sharesWhatTheBrokerWasLinkedWith() throws Exception {
    Class<?> stock = StockClass.load(ShadowTest.class.getClassLoader());
    assertNotSame(LogValidator.class, stock);
    assertEquals(LogValidator.class.getName(), stock.getName());
    ClassLoader loader = stock.getClassLoader();
    assertSame(ValidationResult.class, loader.loadClass(ValidationResult.class.getName()));
    assertSame(MetricsRecorder.class, loader.loadClass(MetricsRecorder.class.getName()));
    String error = LogValidator.class.getName() + "$ApiRecordError";
    assertSame(loader, loader.loadClass(error).getClassLoader());
  }

  @Test
  void recordsAreComparedByWhatTheyDecodeTo() {
    byte[] plain = new RecordBytes().toBytes();
    for (Codec codec : Codec.values()) {
      ByteBuffer one = Batches.ofPlain(codec, 1, plain);
      byte[] other = plain.clone();
      other[other.length - 2] ^= 1;
      assertTrue(ShadowRecords.same(one, Batches.ofPlain(codec, 1, plain)));
      ByteBuffer longer = Batches.ofPlain(codec, 1, Arrays.copyOf(plain, plain.length + 1));
      assertFalse(ShadowRecords.same(one, longer), codec.name());
      assertFalse(ShadowRecords.same(longer, one), codec.name());
      assertFalse(ShadowRecords.same(one, Batches.ofPlain(codec, 1, other)), codec.name());
      assertFalse(ShadowRecords.same(one, Batches.ofPlain(codec, 2, plain)), codec.name());
    }
  }

  /** Operators ignore known kinds, so a known kind must not hide an unknown difference. */
  @Test
  void anUnknownKindComesBeforeAKnownOne() {
    ShadowAnswer answer =
        new ShadowAnswer(null, new RecordedCalls(null), 0, ByteBuffer.allocate(0), null, null);
    for (ShadowDifference other : ShadowDifference.values()) {
      if (other != ShadowDifference.KAFKA_CRASHED) {
        Set<ShadowDifference> found = EnumSet.of(ShadowDifference.WRONG_CHECKSUM_KEPT, other);
        assertTrue(ShadowDifference.kind(found, answer, answer).startsWith(other.name()));
      }
    }
  }

  @Test
  void oneTimeForBoth() {
    AtomicLong asked = new AtomicLong();
    Time time = Proxies.of(Time.class, (proxy, method, arguments) -> asked.incrementAndGet());
    ReplayedTime replayed = new ReplayedTime(time);
    assertEquals(replayed.milliseconds(), replayed.milliseconds());
    replayed.reset();
    assertEquals(2, replayed.milliseconds());
    assertEquals(Map.of(), shadow.counts().kinds());
  }
}
