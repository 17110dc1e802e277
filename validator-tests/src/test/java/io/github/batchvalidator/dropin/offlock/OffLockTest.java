// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.AppendSettings;
import io.github.batchvalidator.dropin.DropIn;
import io.github.batchvalidator.dropin.OffLock;
import io.github.batchvalidator.dropin.RecordedMetrics;
import io.github.batchvalidator.dropin.Validators;
import io.github.batchvalidator.dropin.append.EarlyInspection;
import io.github.batchvalidator.dropin.append.ValidatorPool;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.DocumentTable;
import io.github.batchvalidator.testing.Proxies;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The effect of the agent's calls around an append, for each cause of a fallback. */
class OffLockTest {
  private static final long NOW = Batches.nowMs();
  private static final long HOUR = 3_600_000;

  private final long stampedBefore = DropIn.offLock().counts().stamped();
  private final Map<String, Long> before = DropIn.offLock().counts().fallbacks();
  private long appendedMs = NOW;
  private long nextOffset;
  private @Nullable Object lastAppend;
  private TimestampType type = TimestampType.CREATE_TIME;
  private long beforeMs = Long.MAX_VALUE;
  private long afterMs = HOUR;

  @AfterEach
  void leave() {
    OffLock.leave();
  }

  private static MemoryRecords batch(Codec codec) {
    return batch(codec, NOW);
  }

  private static MemoryRecords batch(Codec codec, long timestamp) {
    SimpleRecord record = new SimpleRecord(timestamp, new byte[] {1}, new byte[100]);
    return MemoryRecords.readableRecords(Batches.of(codec, record, record));
  }

  private void enter(MemoryRecords records) {
    lastAppend =
        DropIn.offLock().enter(records, records.buffer(), AppendOrigin.CLIENT, lastAppend, NOW);
  }

  private Time clock() {
    return Proxies.of(
        Time.class,
        (proxy, method, arguments) -> method.getName().equals("milliseconds") ? appendedMs : 0L);
  }

  private ValidationResult validate(MemoryRecords records, Codec source, Codec target) {
    AppendSettings settings =
        new AppendSettings(false, 2, type, beforeMs, afterMs, AppendOrigin.CLIENT);
    PrimitiveRef.LongRef counter = PrimitiveRef.ofLong(7);
    ValidationResult result =
        Validators.of(records, source, target, settings, clock())
            .validateMessagesAndAssignOffsets(
                counter, new RecordedMetrics(), BufferSupplier.NO_CACHING);
    nextOffset = counter.value;
    return result;
  }

  private ValidationResult append(MemoryRecords records, Codec codec) {
    enter(records);
    try {
      return validate(records, codec, codec);
    } finally {
      OffLock.leave();
    }
  }

  /** Appends to a new log, so that the next append can be planned. */
  private void appendFirst(Codec codec) {
    append(batch(codec), codec);
    assertMoved(0, "FIRST_APPEND", 1);
  }

  private void assertMoved(int stamped, Object... causesAndCounts) {
    Map<String, Long> moved = new TreeMap<>();
    DropIn.offLock()
        .counts()
        .fallbacks()
        .forEach((cause, count) -> moved.put(cause, count - before.getOrDefault(cause, 0L)));
    moved.values().removeIf(count -> count == 0);
    Map<String, Long> expected = new TreeMap<>();
    for (int i = 0; i < causesAndCounts.length; i += 2) {
      expected.put((String) causesAndCounts[i], ((Integer) causesAndCounts[i + 1]).longValue());
    }
    assertEquals(expected, moved);
    assertEquals(stamped, DropIn.offLock().counts().stamped() - stampedBefore);
  }

  @Test
  void theSecondAppendIsOnlyStamped() {
    for (Codec codec : Codec.values()) {
      lastAppend = null;
      append(batch(codec), codec);
      SimpleRecord record = new SimpleRecord(NOW, new byte[] {1}, new byte[100]);
      MemoryRecords second =
          MemoryRecords.readableRecords(Batches.of(codec, record, record, record));
      assertSame(second, append(second, codec).validatedRecords());
      assertEquals(7, second.batches().iterator().next().baseOffset());
      assertEquals(10, nextOffset);
      assertEquals(5, second.batches().iterator().next().partitionLeaderEpoch());
    }
    assertMoved(Codec.values().length, "FIRST_APPEND", Codec.values().length);
  }

  @Test
  void theStampedTimeIsThatOfTheAppend() {
    type = TimestampType.LOG_APPEND_TIME;
    appendFirst(Codec.GZIP);
    MemoryRecords records = batch(Codec.GZIP);
    enter(records);
    appendedMs += 123_456;
    assertEquals(NOW + 123_456, validate(records, Codec.GZIP, Codec.GZIP).logAppendTimeMs());
    assertEquals(NOW + 123_456, records.batches().iterator().next().maxTimestamp());
    assertMoved(1, "FIRST_APPEND", 1);
  }

  @Test
  void withoutAnEntryNothingIsCounted() {
    validate(batch(Codec.GZIP), Codec.GZIP, Codec.GZIP);
    assertMoved(0);
  }

  @Test
  void onlyClientsAreInspected() {
    appendFirst(Codec.GZIP);
    MemoryRecords records = batch(Codec.GZIP);
    for (AppendOrigin origin : AppendOrigin.values()) {
      if (origin != AppendOrigin.CLIENT) {
        assertSame(
            lastAppend, DropIn.offLock().enter(records, records.buffer(), origin, lastAppend, NOW));
        assertSame(EarlyInspection.NONE, DropIn.offLock().current());
      }
    }
    assertMoved(0, "FIRST_APPEND", 1);
  }

  @Test
  void changedSettings() {
    appendFirst(Codec.GZIP);
    afterMs = HOUR - 1;
    append(batch(Codec.GZIP), Codec.GZIP);
    assertMoved(0, "FIRST_APPEND", 1, "OTHER_POLICY", 1);
    append(batch(Codec.GZIP), Codec.GZIP);
    assertMoved(1, "FIRST_APPEND", 1, "OTHER_POLICY", 1);
  }

  @Test
  void aClockThatWentTooFarOrBack() {
    appendFirst(Codec.GZIP);
    appendedMs += InspectionPlan.MAX_AGE_MS + 1;
    append(batch(Codec.GZIP), Codec.GZIP);
    appendedMs = NOW - 1;
    append(batch(Codec.GZIP), Codec.GZIP);
    assertMoved(0, "FIRST_APPEND", 1, "OTHER_TIME", 2);
  }

  /** A verdict would hold for the same millisecond only, so there is no early inspection. */
  @Test
  void aWindowWithTwoBounds() {
    beforeMs = HOUR;
    appendFirst(Codec.GZIP);
    append(batch(Codec.GZIP), Codec.GZIP);
    assertMoved(0, "FIRST_APPEND", 1, "OTHER_TIME", 1);
  }

  @Test
  void aTimestampNearTheEdgeOfTheWindow() {
    beforeMs = HOUR;
    afterMs = Long.MAX_VALUE;
    appendFirst(Codec.GZIP);
    append(batch(Codec.GZIP, NOW - HOUR + InspectionPlan.MAX_AGE_MS - 1), Codec.GZIP);
    assertMoved(0, "FIRST_APPEND", 1, "REFUSED", 1);
    append(batch(Codec.GZIP, NOW - HOUR + InspectionPlan.MAX_AGE_MS), Codec.GZIP);
    assertMoved(1, "FIRST_APPEND", 1, "REFUSED", 1);
  }

  @Test
  void aRefusedBatchIsRefusedUnderTheLock() {
    appendFirst(Codec.GZIP);
    MemoryRecords late = batch(Codec.GZIP, NOW + HOUR + 1);
    assertThrows(RuntimeException.class, () -> append(late, Codec.GZIP));
    assertMoved(0, "FIRST_APPEND", 1, "REFUSED", 1);
    assertSame(EarlyInspection.NONE, DropIn.offLock().current());
  }

  @Test
  void otherRecordsThanInspected() {
    appendFirst(Codec.GZIP);
    enter(batch(Codec.GZIP));
    validate(batch(Codec.GZIP), Codec.GZIP, Codec.GZIP);
    assertMoved(0, "FIRST_APPEND", 1, "OTHER_RECORDS", 1);
  }

  /** Each byte of the header that the rules read, and that the checksum does or does not cover. */
  @Test
  void aHeaderThatWasChanged() {
    appendFirst(Codec.NONE);
    int[] places = {
      BatchLayout.BASE_OFFSET_OFFSET + 7,
      BatchLayout.PARTITION_LEADER_EPOCH_OFFSET,
      BatchLayout.CRC_OFFSET,
      BatchLayout.CRC_OFFSET + 3
    };
    for (int place : places) {
      MemoryRecords records = batch(Codec.NONE);
      enter(records);
      ByteBuffer bytes = records.buffer();
      bytes.put(place, (byte) (bytes.get(place) + 1));
      validate(records, Codec.NONE, Codec.NONE);
      OffLock.leave();
    }
    assertMoved(0, "FIRST_APPEND", 1, "OTHER_RECORDS", places.length);
  }

  @Test
  void aCodecOfTheTopics() {
    MemoryRecords first = batch(Codec.GZIP);
    enter(first);
    validate(first, Codec.GZIP, Codec.LZ4);
    OffLock.leave();
    assertMoved(0, "FIRST_APPEND", 1);
    MemoryRecords second = batch(Codec.GZIP);
    enter(second);
    validate(second, Codec.GZIP, Codec.LZ4);
    OffLock.leave();
    assertMoved(0, "FIRST_APPEND", 1, "NOT_IN_PLACE", 1);
    append(batch(Codec.LZ4), Codec.LZ4);
    assertMoved(1, "FIRST_APPEND", 1, "NOT_IN_PLACE", 1);
  }

  /** The batch is rebuilt in any case, so an early inspection would be useless. */
  @Test
  void aLogOfAnOldFormatIsNotInspected() {
    Policy old = Policy.builder(Origin.CLIENT).target(Target.PRODUCER.withMagic((byte) 1)).build();
    LastAppend log = new LastAppend();
    log.update(old, Codec.LZ4, Codec.LZ4);
    OffLockInspection inspection = new OffLockInspection(new OffLockCounts());
    ValidatorPool validators = DropIn.runtime().validators();
    MemoryRecords records = batch(Codec.LZ4);
    inspection.inspect(validators, log, records, records.buffer(), NOW);
    assertNull(inspection.verdict().codec());
    log.update(Policy.builder(Origin.CLIENT).build(), Codec.LZ4, Codec.LZ4);
    inspection.inspect(validators, log, records, records.buffer(), NOW);
    assertEquals(Codec.LZ4, inspection.verdict().codec());
  }

  /** The topic stores the producers' codecs again: after one append, all are inspected early. */
  @Test
  void aTopicThatGaveItsCodecUp() {
    aCodecOfTheTopics();
    append(batch(Codec.GZIP), Codec.GZIP);
    append(batch(Codec.GZIP), Codec.GZIP);
    assertMoved(2, "FIRST_APPEND", 1, "NOT_IN_PLACE", 2);
  }

  @Test
  void aVerdictIsUsedOnce() {
    appendFirst(Codec.NONE);
    MemoryRecords records = batch(Codec.NONE);
    enter(records);
    validate(records, Codec.NONE, Codec.NONE);
    validate(records, Codec.NONE, Codec.NONE);
    assertMoved(1, "FIRST_APPEND", 1);
  }

  @Test
  void enterNeverThrows() {
    Object junk = new Object();
    assertSame(junk, OffLock.enter(batch(Codec.NONE), ByteBuffer.allocate(0), junk, junk));
    lastAppend = junk;
    append(batch(Codec.NONE), Codec.NONE);
    MemoryRecords records = batch(Codec.NONE);
    lastAppend = OffLock.enter(records, ByteBuffer.allocate(3), AppendOrigin.CLIENT, lastAppend);
    validate(records, Codec.NONE, Codec.NONE);
    assertMoved(0, "FIRST_APPEND", 1, "NOT_IN_PLACE", 1);
  }

  @Test
  @SuppressWarnings("NullAway") // no argument makes it throw
  void afterAFailureTheBatchIsInspectedUnderTheLock() {
    appendFirst(Codec.GZIP);
    MemoryRecords records = batch(Codec.GZIP);
    assertSame(lastAppend, OffLock.enter(records, null, AppendOrigin.CLIENT, lastAppend));
    validate(records, Codec.GZIP, Codec.GZIP);
    assertEquals(9, nextOffset);
    assertMoved(0, "FIRST_APPEND", 1, "FAILED", 1);
  }

  @Test
  void leaveDropsTheRecords() throws Exception {
    appendFirst(Codec.GZIP);
    WeakReference<MemoryRecords> appended = new WeakReference<>(batch(Codec.GZIP));
    append(notNull(appended.get()), Codec.GZIP);
    for (int i = 0; appended.get() != null && i < 50; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertNull(appended.get());
  }

  private static MemoryRecords notNull(@Nullable MemoryRecords records) {
    assertNotNull(records);
    return records;
  }

  /** The validator is free while the thread waits for the lock. */
  @Test
  void noValidatorIsHeldBetweenTheCalls() {
    appendFirst(Codec.GZIP);
    int idle = DropIn.runtime().validators().idle();
    assertTrue(idle > 0);
    enter(batch(Codec.GZIP));
    assertEquals(idle, DropIn.runtime().validators().idle());
  }

  @Test
  void anotherThreadsInspectionIsNotUsed() throws Exception {
    appendFirst(Codec.GZIP);
    MemoryRecords records = batch(Codec.GZIP);
    enter(records);
    FutureTask<ValidationResult> other =
        new FutureTask<>(() -> validate(records, Codec.GZIP, Codec.GZIP));
    new Thread(other).start();
    other.get();
    assertMoved(0, "FIRST_APPEND", 1);
    assertTrue(DropIn.offLock().isEntered());
  }

  @Test
  void pageExplainsEveryCause() throws Exception {
    Set<String> causes =
        Arrays.stream(OffLockFallback.values()).map(Enum::name).collect(Collectors.toSet());
    assertEquals(causes, Set.copyOf(DocumentTable.firstColumn("agent.md")));
  }
}
