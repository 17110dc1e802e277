// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.AllocationMeter;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The flight recorder's events for refused batches, and when they are written. */
class FlightRecorderEventsTest {
  private static final String EVENT = "io.github.batchvalidator.RefusedBatch";

  @TempDir private Path directory;

  private final FlightRecorderEvents events = new FlightRecorderEvents();
  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  @AfterEach
  void close() {
    validator.close();
  }

  private static ByteBuffer good() {
    return Batches.ofPlain(Codec.LZ4, 1, new RecordBytes().toBytes());
  }

  /** The second of two records lies about its length, and has attributes. */
  private static ByteBuffer strictFaults() {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    plain.writeBytes(new RecordBytes().toBytes());
    plain.writeBytes(
        new RecordBytes()
            .offsetDelta(RecordBytes.varint(1, 1))
            .attributes(3)
            .lengthError(1)
            .toBytes());
    return Batches.ofPlain(Codec.ZSTD, 2, plain.toByteArray());
  }

  private void judge(ByteBuffer batch, Level level, String where) {
    Policy policy = Policy.builder(Origin.CLIENT).level(level).section("of " + where).build();
    validator.inspect(batch, policy, Batches.nowMs(), verdict);
    events.judged(verdict, where);
  }

  private List<RecordedEvent> recorded(Recording recording) throws IOException {
    recording.stop();
    Path file = directory.resolve("recording.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(EVENT))
        .sorted(Comparator.comparing(RecordedEvent::getStartTime)) // the file has any order
        .toList();
  }

  @Test
  void aRecordingHasOneEventPerRefusedBatch() throws IOException {
    judge(ByteBuffer.allocate(100), Level.KAFKA, "before-0");
    try (Recording recording = new Recording()) {
      recording.start();
      judge(good(), Level.STRICT, "orders-1");
      judge(strictFaults(), Level.KAFKA, "orders-2");
      judge(strictFaults(), Level.STRICT, "orders-3");
      events.judged(verdict, null);
      judge(ByteBuffer.allocate(100), Level.KAFKA, "orders-4");
      List<RecordedEvent> found = recorded(recording);
      assertEquals(3, found.size(), found::toString);
      assertStrictFaults(found.get(0));
      assertNull(found.get(1).getString("where"));
      assertEquals("of orders-3", found.get(1).getString("section"));
      RecordedEvent framing = found.get(2);
      assertEquals("orders-4", framing.getString("where"));
      assertEquals("FRAMING_LENGTH_TOO_SMALL", framing.getString("reason"));
      assertEquals("the length field says 0, the least is 14", framing.getString("sentence"));
      assertNull(framing.getString("codec"));
      assertEquals(0, framing.getInt("batchBytes"));
      assertEquals(-1, framing.getInt("recordIndex"));
      assertEquals(-1, framing.getLong("plainPosition"));
    }
  }

  private static void assertStrictFaults(RecordedEvent event) {
    assertEquals("orders-3", event.getString("where"));
    assertEquals("of orders-3", event.getString("section"));
    assertEquals(Reason.RECORD_ATTRIBUTES_RESERVED.name(), event.getString("reason"));
    assertEquals("the attributes of the record are 3", event.getString("sentence"));
    assertEquals("ZSTD", event.getString("codec"));
    assertEquals(2, event.getInt("magic"));
    assertEquals(strictFaults().remaining(), event.getInt("batchBytes"));
    int first = new RecordBytes().toBytes().length;
    assertEquals(2L * first, event.getLong("plainBytes"));
    assertEquals(2, event.getInt("records"));
    assertEquals(0, event.getInt("failingRecords"));
    assertEquals(1, event.getInt("recordIndex"));
    assertEquals(first, event.getLong("plainPosition"));
    assertTrue(event.getInt("position") >= 61);
    String findings = event.getString("findings");
    assertTrue(findings.contains("RECORD_ATTRIBUTES_RESERVED: the attributes"), findings);
    assertTrue(findings.contains("RECORD_LENGTH_UNTRUE: the record declares"), findings);
    assertNull(event.getStackTrace());
  }

  @Test
  void aFloodIsBoundedAndTheNextEventSaysByHowMuch() throws IOException {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    int most = FlightRecorderEvents.EVENTS_PER_SECOND;
    FlightRecorderEvents bounded = new FlightRecorderEvents(new EventRate(most, nanos::get));
    verdict.refuse(Reason.BATCH_CRC_MISMATCH, 0, 1, 2);
    try (Recording recording = new Recording()) {
      recording.start();
      for (int i = 0; i < most + 7; i++) {
        bounded.judged(verdict, "first second");
      }
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
      bounded.judged(verdict, "first second");
      nanos.addAndGet(1);
      bounded.judged(verdict, "next");
      bounded.judged(verdict, "last");
      List<RecordedEvent> found = recorded(recording);
      assertEquals(most + 2, found.size());
      assertEquals(8, suppressedBefore(found, "next"));
      assertEquals(0, suppressedBefore(found, "last"));
      assertEquals(0, suppressedBefore(found, "first second"));
    }
  }

  private static long suppressedBefore(List<RecordedEvent> events, String where) {
    return events.stream()
        .filter(event -> event.getString("where").equals(where))
        .mapToLong(event -> event.getLong("suppressed"))
        .sum();
  }

  @Test
  void aSuppressedEventAllocatesNothing() {
    int most = FlightRecorderEvents.EVENTS_PER_SECOND;
    FlightRecorderEvents bounded = new FlightRecorderEvents(new EventRate(most, () -> 0));
    verdict.refuse(Reason.BATCH_CRC_MISMATCH, 0, 1, 2);
    try (Recording recording = new Recording()) {
      recording.start();
      for (int i = 0; i < most; i++) {
        bounded.judged(verdict, "written");
      }
      assertEquals(0, AllocationMeter.bytesPerCall(() -> bounded.judged(verdict, "suppressed")));
    }
  }

  /** No event is lost, nor written beyond the bound, when threads meet. */
  @Test
  void everyThreadCounts() throws InterruptedException {
    EventRate rate = new EventRate(100, () -> 0);
    AtomicLong admitted = new AtomicLong();
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                for (int j = 0; j < 10_000; j++) {
                  admitted.addAndGet(rate.admits() ? 1 : 0);
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(100, admitted.get());
    assertEquals(39_900, rate.takeSuppressed());
  }

  @Test
  void aRecordingWithoutTheEventHasNone() throws IOException {
    try (Recording recording = new Recording()) {
      recording.disable(EVENT);
      recording.start();
      judge(ByteBuffer.allocate(100), Level.KAFKA, "orders-1");
      assertEquals(List.of(), recorded(recording));
    }
  }

  /** Without a recording, the place of a batch is not converted to text. */
  @Test
  void withoutARecordingNoTextIsMade() {
    Object where =
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("asked for a text");
          }
        };
    verdict.refuse(Reason.BATCH_CRC_MISMATCH, 0, 1, 2);
    events.judged(verdict, where);
    assertEquals(1, verdict.firstOperand());
  }

  /** The batch was answered before: a class that cannot be initialised would fail each refusal. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void anEventThatCannotBeWrittenChangesNoAnswer(Class<? extends Throwable> kind)
      throws IOException {
    Object where =
        Proxy.newProxyInstance(
            Comparable.class.getClassLoader(),
            new Class<?>[] {Comparable.class},
            (proxy, method, arguments) -> {
              throw kind.getConstructor(String.class).newInstance("no text");
            });
    try (Recording recording = new Recording()) {
      recording.start();
      verdict.refuse(Reason.BATCH_CRC_MISMATCH, 0, 1, 2);
      assertDoesNotThrow(() -> events.judged(verdict, where));
      assertEquals(List.of(), recorded(recording));
    }
  }
}
