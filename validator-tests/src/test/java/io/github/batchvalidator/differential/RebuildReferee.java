// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.differential.KafkaOracle.Metric;
import io.github.batchvalidator.differential.KafkaOracle.Place;
import io.github.batchvalidator.engine.BatchEngine;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.verdict.HeaderStamp;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;

/** A comparison of rebuilds: Kafka and {@link BatchEngine} rebuild the same batch. */
final class RebuildReferee implements AutoCloseable {
  private static final int MOST_FAILURES = 5000;
  private static final int EPOCH = 77;

  private final BatchEngine rebuilder = BatchEngine.fastest(GzipInflater.AUTO);
  private final KafkaOracle kafka = new KafkaOracle();
  private final MutableVerdict verdict = new MutableVerdict(MOST_FAILURES);

  /** The policy, codec and first offset of a rebuild. */
  record Task(Policy policy, Codec target, long firstOffset) {
    static Policy policy(Origin origin, TimestampType type, long window, int bits, int magic) {
      return Policy.builder(origin)
          .target(Target.PRODUCER.withMagic((byte) magic).withTimestampType(type))
          .timestampWindowMs(window, window)
          .compactedTopic(bits == 0)
          .checkedByHost(bits != 7)
          .build();
    }
  }

  /** Returns 1 if both rebuilt the batch. */
  int judge(Task task, BufferKind kind, byte[] bytes) {
    return isInPlace(task, bytes) ? 0 : judge(task, kind, bytes, null);
  }

  /** Compares rebuilds in which the caller says the source codec; null leaves it to the batch. */
  int judge(Task task, BufferKind kind, byte[] bytes, @Nullable Codec said) {
    try {
      Place place = new Place(task.firstOffset(), EPOCH, Batches.nowMs());
      KafkaAnswer theirs = kafka.ask(bytes, task.policy(), place, task.target(), said);
      boolean inPlace = theirs.accepted() && !theirs.rebuilt();
      if (inPlace) {
        return 0;
      }
      ByteBuffer source = kind.holding(bytes, (byte) 0xFF);
      boolean accepted =
          rebuilder.rebuild(
              Batches.framed(source),
              Batches.storing(task.policy(), task.target()),
              said,
              task.firstOffset(),
              Batches.nowMs(),
              verdict);
      boolean isOld =
          bytes.length > BatchLayout.MAGIC_OFFSET && bytes[BatchLayout.MAGIC_OFFSET] < 2;
      if (!(isOld && theirs.thrown() instanceof OutOfMemoryError)) { // LEGACY_SIZE_DECLARED
        compare(theirs, accepted, task);
      }
      return accepted ? 1 : 0;
    } catch (AssertionError | RuntimeException e) {
      String what = e.getMessage() + "\n  " + describe(task) + "\n  ours " + verdict;
      throw new AssertionError(what + "\n  batch " + Batches.base64(bytes), e);
    }
  }

  /** Returns what the rebuilder said of the last batch. */
  Verdict verdict() {
    return verdict;
  }

  /** Returns the rebuilder that took the last batch. */
  BatchEngine rebuilder() {
    return rebuilder;
  }

  private static String describe(Task task) {
    Policy policy = task.policy();
    return policy.origin()
        + " "
        + policy.target().timestampType()
        + " "
        + policy.timestampBeforeMaxMs()
        + " compacted "
        + policy.compactedTopic()
        + " magic "
        + policy.target().magic()
        + " "
        + task;
  }

  /** Where Kafka starts out to keep the batch, the rebuilder is not asked. */
  private static boolean isInPlace(Task task, byte[] bytes) {
    if (bytes.length < BatchLayout.PREFIX_BYTES) {
      return false;
    }
    byte magic = bytes[BatchLayout.MAGIC_OFFSET];
    boolean v2 = magic == BatchLayout.MAGIC_V2;
    int attributesAt = v2 ? BatchLayout.ATTRIBUTES_OFFSET + 1 : LegacyLayout.ATTRIBUTES_OFFSET;
    if (bytes.length <= attributesAt) {
      return false;
    }
    int attributes = bytes[attributesAt];
    int codec = attributes & BatchLayout.CODEC_MASK;
    boolean sameMagic = magic == task.policy().target().magic();
    if (!v2) {
      return codec == 0 && task.target() == Codec.NONE && sameMagic;
    }
    boolean control = codec == 0 && (attributes & BatchLayout.CONTROL_MASK) != 0;
    boolean plain = codec == 0 && task.target() == Codec.NONE;
    return plain ? sameMagic : control || (sameMagic && codec == task.target().id());
  }

  private void compare(KafkaAnswer theirs, boolean accepted, Task task) {
    String both = "Kafka " + theirs.thrown() + ", metrics " + theirs.metrics();
    assertEquals(theirs.accepted(), accepted, both);
    if (!accepted) {
      Reason why = verdict.reason();
      assertNotNull(why);
      // Kafka checks those fields that a batch shorter than its header still has.
      boolean isCut = why == Reason.BATCH_HEADER_INCOMPLETE;
      assertTrue(!isCut || verdict.batchBytes() < BatchLayout.HEADER_BYTES, both);
      if (theirs.crashed() && why.name().startsWith("REBUILD_")) {
        assertEquals(theirs.metrics(), metrics(why), both);
      } else if (!theirs.crashed() && !isCut) {
        assertEquals(theirs.answer(), why.answer(), both);
        assertEquals(theirs.failingRecords(), failingRecords(), both);
        assertEquals(theirs.metrics(), metrics(why), both);
      }
    } else {
      compareResult(theirs, task);
    }
    assertEquals(theirs.nextOffset(), task.firstOffset() + rebuilder.offsetsTaken(), both);
  }

  private List<Integer> failingRecords() {
    List<Integer> failing = new ArrayList<>();
    for (int i = 0; verdict.decidedByRecords() && i < verdict.failureCount(); i++) {
      failing.add(verdict.failureIndex(i));
    }
    return failing;
  }

  private List<Metric> metrics(Reason decisive) {
    List<Metric> counted = new ArrayList<>();
    for (int i = 0; i < verdict.failureCount(); i++) {
      add(counted, Referee.metric(verdict.failureReason(i)));
    }
    if (!verdict.decidedByRecords()) {
      add(counted, Referee.metric(decisive));
    }
    return counted;
  }

  private static void add(List<Metric> counted, @Nullable Metric metric) {
    if (metric != null) {
      counted.add(metric);
    }
  }

  private void compareResult(KafkaAnswer theirs, Task task) {
    assertEquals(theirs.maxTimestamp(), rebuilder.rebuiltMaxTimestamp(), "max timestamp");
    assertEquals(
        theirs.temporaryBytes(), rebuilder.temporaryMemoryBytes(verdict), "temporary bytes");
    ByteBuffer rebuilt = rebuilder.rebuiltBatch();
    long next = HeaderStamp.write(rebuilt, verdict, task.firstOffset(), EPOCH, Batches.nowMs());
    assertEquals(task.firstOffset() + rebuilder.rebuiltRecords(), next, "next offset");
    byte[] ours = bytes(rebuilt);
    byte[] kafkas = bytes(theirs.bytes());
    if (task.target() == Codec.NONE || kafkas.length == 0) {
      assertArrayEquals(kafkas, ours);
      return;
    }
    int payloadAt = payloadAt(task.policy().target().magic());
    assertArrayEquals(head(kafkas, payloadAt), head(ours, payloadAt), "head");
    assertArrayEquals(plain(task, kafkas, payloadAt), plain(task, ours, payloadAt), "payload");
    MutableRecordBatch batch =
        MemoryRecords.readableRecords(ByteBuffer.wrap(ours)).batches().iterator().next();
    batch.ensureValid();
    assertEquals(ours.length, batch.sizeInBytes());
    int records = 0;
    for (Record record : batch) {
      record.ensureValid();
      records++;
    }
    assertEquals(rebuilder.rebuiltRecords(), records);
  }

  private static int payloadAt(byte magic) {
    return magic == BatchLayout.MAGIC_V2
        ? BatchLayout.HEADER_BYTES
        : LegacyLayout.keySizeOffset(magic) + 2 * Integer.BYTES;
  }

  /** All in front of the payload but what depends on its size or its bytes. */
  private static byte[] head(byte[] batch, int payloadAt) {
    byte[] head = Arrays.copyOf(batch, payloadAt);
    boolean v2 = head[BatchLayout.MAGIC_OFFSET] == BatchLayout.MAGIC_V2;
    int crcAt = v2 ? BatchLayout.CRC_OFFSET : LegacyLayout.CRC_OFFSET;
    Arrays.fill(head, BatchLayout.LENGTH_OFFSET, BatchLayout.LOG_OVERHEAD, (byte) 0);
    Arrays.fill(head, crcAt, crcAt + Integer.BYTES, (byte) 0);
    if (!v2) {
      assertEquals(
          batch.length - payloadAt,
          ByteBuffer.wrap(batch).getInt(payloadAt - Integer.BYTES),
          "size of the value");
      Arrays.fill(head, payloadAt - Integer.BYTES, payloadAt, (byte) 0);
    }
    return head;
  }

  private static byte[] plain(Task task, byte[] batch, int payloadAt) {
    ByteBuffer payload = ByteBuffer.wrap(batch, payloadAt, batch.length - payloadAt).slice();
    try (InputStream in =
        Batches.compression(task.target())
            .wrapForInput(payload, task.policy().target().magic(), BufferSupplier.NO_CACHING)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  @Override
  public void close() {
    rebuilder.close();
  }
}
