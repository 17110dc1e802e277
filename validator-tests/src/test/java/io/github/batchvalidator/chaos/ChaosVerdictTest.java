// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults that are planted among records, replicas and vitals are noticed. */
class ChaosVerdictTest {
  private static final TopicPartition ONE = new TopicPartition("topic", 0);
  private static final TopicPartition OTHER = new TopicPartition("topic", 1);
  private static final int WRITER = 7;

  @TempDir private Path folder;

  private final List<Sent> sent = new ArrayList<>();
  private final List<Stored> one = new ArrayList<>();
  private final List<Stored> other = new ArrayList<>();

  private Sent send(TopicPartition to, int transaction) {
    Sent next = new Sent(to, new RecordId(WRITER, sent.size()), transaction);
    sent.add(next);
    return next;
  }

  /** Sends a record that is acknowledged and stored. */
  private Sent store(long offset) {
    Sent next = send(ONE, Writer.NO_TRANSACTION);
    next.acknowledge(offset);
    one.add(Stored.of(offset, next.id().value()));
    return next;
  }

  private void expect(String... starts) {
    List<String> faults = ChaosVerdict.faults(sent, Map.of(ONE, one, OTHER, other));
    assertEquals(starts.length, faults.size(), faults::toString);
    for (int i = 0; i < starts.length; i++) {
      assertTrue(faults.get(i).startsWith(starts[i]), faults.get(i));
    }
  }

  @Test
  void acceptsWhatIsInOrder() {
    store(0);
    send(ONE, Writer.NO_TRANSACTION).answer(Fate.REJECTED);
    store(1);
    send(ONE, Writer.NO_TRANSACTION);
    store(5);
    expect();
  }

  @Test
  void noticesALostRecord() {
    store(0);
    store(1);
    one.remove(0);
    expect("lost: RecordId[writer=7, sequence=0] in topic-0, ACKNOWLEDGED at 0");
  }

  @Test
  void noticesASwappedOffset() {
    store(0);
    Sent second = store(1);
    Sent third = store(2);
    one.set(1, Stored.of(1, third.id().value()));
    one.set(2, Stored.of(2, second.id().value()));
    expect("at another offset: ", "at another offset: ", "topic-0: out of order: ");
  }

  @Test
  void noticesADuplicatedRecord() {
    Sent first = store(0);
    store(1);
    one.add(Stored.of(2, first.id().value()));
    expect("topic-0: duplicated: ");
  }

  @Test
  void noticesADuplicateOfAnUnknownFate() {
    Sent first = send(ONE, Writer.NO_TRANSACTION);
    one.add(Stored.of(0, first.id().value()));
    expect();
    one.add(Stored.of(1, first.id().value()));
    expect("topic-0: duplicated: ");
  }

  @Test
  void noticesARecordOutOfOrder() {
    Sent first = send(ONE, Writer.NO_TRANSACTION);
    store(0);
    first.acknowledge(1);
    one.add(Stored.of(1, first.id().value()));
    expect("topic-0: out of order: ");
  }

  @Test
  void noticesAChangedRecord() {
    store(0);
    byte[] value = store(1).id().value();
    value[value.length - 1] ^= 1;
    one.set(1, Stored.of(1, value));
    expect("topic-0: changed: ");
  }

  @Test
  void noticesOffsetsThatDoNotAscend() {
    store(1);
    store(1);
    expect("topic-0: offset 1 after 1");
  }

  @Test
  void noticesRejectedAndAbortedRecords() {
    store(0).answer(Fate.REJECTED);
    store(1).answer(Fate.ABORTED);
    expect("stored: ", "stored: ");
  }

  @Test
  void noticesARecordInAnotherPartition() {
    Sent first = send(ONE, Writer.NO_TRANSACTION);
    other.add(Stored.of(0, first.id().value()));
    expect("topic-1: 1 records that nobody sent there");
  }

  @Test
  void noticesHalfATransaction() {
    Sent first = send(ONE, 3);
    Sent second = send(OTHER, 3);
    expect();
    one.add(Stored.of(0, first.id().value()));
    expect("Transaction[writer=7, number=3]: 1 of 2 records are committed");
    other.add(Stored.of(0, second.id().value()));
    expect();
  }

  /** Writes a replica of batches of one record, in two segments. */
  private Path replica(String name, List<ByteBuffer> batches) throws IOException {
    Path replica = Files.createDirectory(folder.resolve(name));
    for (int i = 0; i < batches.size(); i++) {
      Path segment = replica.resolve(i < 2 ? "00.log" : "02.log");
      byte[] before = Files.exists(segment) ? Files.readAllBytes(segment) : new byte[0];
      ByteBuffer batch = batches.get(i);
      byte[] all =
          ByteBuffer.allocate(before.length + batch.remaining())
              .put(before)
              .put(batch.duplicate())
              .array();
      Files.write(segment, all);
    }
    return replica;
  }

  private static List<ByteBuffer> batches() {
    List<ByteBuffer> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ByteBuffer batch = Batches.of(Codec.NONE, new SimpleRecord(i, new RecordId(1, i).value()));
      all.add(batch.putLong(BatchLayout.BASE_OFFSET_OFFSET, i));
    }
    return all;
  }

  private static List<String> compare(Path first, Path second, long highWatermark)
      throws IOException {
    Replicas replicas = new Replicas();
    replicas.compare(List.of(first, second), highWatermark);
    return replicas.faults();
  }

  @Test
  void acceptsEqualReplicas() throws IOException {
    Path first = replica("first", batches());
    Path second = replica("second", batches());
    assertEquals(List.of(), compare(first, second, 4));
  }

  @Test
  void noticesADifferingReplica() throws IOException {
    Path first = replica("first", batches());
    List<ByteBuffer> changed = batches();
    ByteBuffer last = changed.get(3);
    last.put(last.limit() - 1, (byte) ~last.get(last.limit() - 1));
    Path second = replica("second", changed);
    assertEquals(
        List.of(first + " has a batch at 3, " + second + " another at 3"),
        compare(first, second, 4));
    assertEquals(List.of(), compare(first, second, 3), "not below the high watermark");
  }

  @Test
  void noticesAShortReplica() throws IOException {
    Path first = replica("first", batches());
    Path second = replica("second", batches().subList(0, 3));
    assertEquals(
        List.of(first + " has a batch at 3, " + second + " none"), compare(first, second, 4));
    assertEquals(
        List.of(first + " has more than " + second, second + " ends at 3, before 4"),
        compare(second, first, 4));
  }

  @Test
  void noticesThatBothEndTooEarly() throws IOException {
    Path first = replica("first", batches());
    Path second = replica("second", batches());
    assertEquals(List.of(first + " ends at 4, before 5"), compare(first, second, 5));
  }

  @Test
  void noticesASegmentThatIsOpenTwiceOrDeleted() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Path open = Files.createFile(data.resolve("open.log"));
    Path twice = Files.createFile(data.resolve("twice.log"));
    Path descriptors = Files.createDirectories(folder.resolve("fd"));
    Files.createSymbolicLink(descriptors.resolve("3"), open);
    Files.createSymbolicLink(descriptors.resolve("4"), twice);
    assertEquals(0, Handles.files(descriptors, data));
    Files.createSymbolicLink(descriptors.resolve("5"), twice);
    Files.createSymbolicLink(descriptors.resolve("6"), data.resolve("deleted.log"));
    Files.createSymbolicLink(descriptors.resolve("7"), Path.of("socket:[7]"));
    assertEquals(3, Handles.files(descriptors, data));
  }

  @Test
  void noticesALeak() {
    long mib = 1 << 20;
    Handles handles = new Handles(80, 300, 300 * mib);
    assertEquals(List.of(), new Handles(90, 340, 320 * mib).growthSince(handles));
    assertEquals(
        List.of("threads grew from 80 to 97"),
        new Handles(97, 300, 300 * mib).growthSince(handles));
    assertEquals(
        List.of("open files grew from 300 to 401"),
        new Handles(80, 401, 300 * mib).growthSince(handles));
    assertEquals(
        List.of("resident bytes grew from 314572800 to 419430400"),
        new Handles(80, 300, 400 * mib).growthSince(handles));
    Vitals before = new Vitals(handles, 40 * mib);
    assertEquals(List.of(), new Vitals(handles, 60 * mib).growthSince(before));
    assertEquals(
        List.of("threads grew from 80 to 97"),
        new Vitals(new Handles(97, 300, 300 * mib), 40 * mib).growthSince(before));
    assertEquals(
        List.of("bytes of live heap grew from 41943040 to 104857600"),
        new Vitals(handles, 100 * mib).growthSince(before));
  }
}
