// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/**
 * A host that calls the library in any order, with verdicts and buffers mixed up, bytes changed
 * behind its back, and instances closed too early. Each call has to work or to throw what its
 * documentation names, and must leave all bytes alone that are not its business.
 *
 * <p>Confined to one thread at a time, as the instances that it calls.
 */
final class RandomCalls implements AutoCloseable {
  private static final Policy[] POLICIES = {
    Policy.CLIENT,
    Batches.storing(Policy.CLIENT, Codec.LZ4),
    Batches.storing(Policy.CLIENT, Codec.ZSTD),
    Policy.CLIENT.toBuilder()
        .target(Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME))
        .build(),
    Policy.builder(Origin.REPLICATION).target(Target.PRODUCER.withMagic((byte) 1)).build()
  };
  private static final int HEADER = BatchLayout.HEADER_BYTES;

  /** The bytes of a header that a stamp compares with those that were inspected. */
  private static final int[][] SEALED = {{0, HEADER}};

  private static final int[][] SEALED_MESSAGE = {{0, 26}};

  private final Random random;
  private final List<ByteBuffer> shared;
  private final List<ByteBuffer> own = new ArrayList<>();
  private final BatchValidator[] validators = {new BatchValidator(), BatchValidator.lowMemory()};
  private final boolean[] closed = new boolean[2];
  private final Verdict[] verdicts = {BatchValidator.newVerdict(), BatchValidator.newVerdict(0)};

  /** The headers of the batches that the verdicts stamp. */
  private final IdentityHashMap<Verdict, byte @Nullable []> sealed = new IdentityHashMap<>();

  private BatchRebuilder rebuilder = new BatchRebuilder();
  private boolean rebuilderClosed;
  private boolean rebuilt;
  private int stamped;

  /**
   * Creates a host.
   *
   * @param seed of the calls
   * @param shared batches that are only read; other hosts may inspect them at the same time
   */
  RandomCalls(long seed, List<ByteBuffer> shared) {
    random = new Random(seed);
    this.shared = shared;
    for (int i = 0; i < 4; i++) {
      own.add(batch(random));
    }
  }

  /** Returns a batch of any codec or magic in any kind of buffer. */
  static ByteBuffer batch(Random random) {
    BufferKind kind = any(List.of(BufferKind.values()), random);
    if (random.nextInt(5) == 0) {
      return kind.holding(LegacyMessage.of(1).toBytes(), (byte) 0x22);
    }
    SimpleRecord[] records = new SimpleRecord[1 + random.nextInt(4)];
    Arrays.setAll(records, i -> new SimpleRecord(Batches.nowMs(), new byte[random.nextInt(3000)]));
    Codec codec = any(List.of(Codec.values()), random);
    return kind.holding(Batches.copy(Batches.of(codec, records)).array(), (byte) 0x22);
  }

  private static <T> T any(List<T> values, Random random) {
    return values.get(random.nextInt(values.size()));
  }

  /** Makes calls, and returns how many batches were stamped. */
  int make(int calls) {
    for (int i = 0; i < calls; i++) {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> inspect();
        case 3, 4, 5 -> assign(any());
        case 6 -> rebuild();
        case 7 -> assignRebuilt();
        case 8 -> damage();
        default -> closeOrOpen();
      }
    }
    return stamped;
  }

  private ByteBuffer any() {
    return own.get(random.nextInt(own.size()));
  }

  private ByteBuffer anyToRead() {
    int index = random.nextInt(own.size() + shared.size());
    return index < own.size() ? own.get(index) : shared.get(index - own.size());
  }

  private Verdict anyVerdict() {
    return verdicts[random.nextInt(verdicts.length)];
  }

  private Policy anyPolicy() {
    return POLICIES[random.nextInt(POLICIES.length)];
  }

  // ---- calls

  private void inspect() {
    int which = random.nextInt(validators.length);
    BatchValidator validator = validators[which];
    ByteBuffer buffer = anyToRead();
    Policy policy = anyPolicy();
    Verdict verdict = anyVerdict();
    State before = new State(buffer);
    if (closed[which]) {
      assertThrows(
          IllegalStateException.class,
          () -> validator.inspect(buffer, policy, Batches.nowMs(), verdict));
    } else {
      boolean accepted = validator.inspect(buffer, policy, Batches.nowMs(), verdict);
      assertEquals(accepted, verdict.accepted());
      assertAnswerOfAnother(buffer, policy, verdict);
      seal(verdict, accepted && !verdict.needsRebuild() ? buffer : null);
    }
    before.assertSame(buffer);
  }

  private static void assertAnswerOfAnother(ByteBuffer buffer, Policy policy, Verdict verdict) {
    Verdict other = BatchValidator.newVerdict();
    try (BatchValidator fresh = new BatchValidator()) {
      fresh.inspect(buffer.duplicate(), policy, Batches.nowMs(), other);
    }
    assertEquals(other.reason(), verdict.reason());
    assertEquals(other.needsRebuild(), verdict.needsRebuild());
  }

  private void rebuild() {
    ByteBuffer source = anyToRead();
    Policy policy = anyPolicy();
    Verdict verdict = anyVerdict();
    State before = new State(source);
    if (rebuilderClosed) {
      assertThrows(
          IllegalStateException.class,
          () -> rebuilder.rebuild(source, policy, Batches.nowMs(), verdict));
    } else {
      rebuilt = rebuilder.rebuild(source, policy, Batches.nowMs(), verdict);
      assertEquals(rebuilt, verdict.accepted());
      seal(verdict, rebuilt ? rebuilder.batch() : null);
    }
    before.assertSame(source);
  }

  private void assignRebuilt() {
    if (rebuilt) {
      assign(rebuilder.batch());
    } else {
      assertThrows(IllegalStateException.class, rebuilder::batch);
    }
  }

  private void assign(ByteBuffer buffer) {
    Verdict verdict = anyVerdict();
    byte[] seal = sealed.get(verdict);
    State before = new State(buffer);
    boolean wasValid = isValid(buffer);
    long nextOffset;
    try {
      nextOffset =
          new OffsetStamp()
              .firstOffset(random.nextInt(1000))
              .leaderEpoch(7)
              .nowMs(Batches.nowMs())
              .assign(buffer, verdict);
    } catch (IllegalStateException | ReadOnlyBufferException e) {
      boolean isTheBatch = seal != null && Arrays.equals(seal, before.header());
      assertTrue(buffer.isReadOnly() || !isTheBatch, () -> "its batch is not stamped: " + e);
      before.assertSame(buffer);
      return;
    }
    if (seal == null || !isSealed(seal, before.header())) {
      throw new AssertionError("another batch is stamped");
    }
    if (seal[BatchLayout.MAGIC_OFFSET] == BatchLayout.MAGIC_V2) { // else one header per message
      before.assertSameBehindHeader(buffer);
    }
    assertEquals(wasValid, isValid(buffer));
    if (wasValid) {
      assertEquals(nextOffset - 1, last(buffer).lastOffset());
    }
    seal(verdict, buffer);
    stamped++;
  }

  private void damage() {
    ByteBuffer buffer = any();
    if (!buffer.isReadOnly()) {
      int at = buffer.position() + random.nextInt(random.nextBoolean() ? 30 : buffer.remaining());
      buffer.put(at, (byte) (buffer.get(at) ^ 1 << random.nextInt(Byte.SIZE)));
    }
    own.set(random.nextInt(own.size()), batch(random));
  }

  private void closeOrOpen() {
    int which = random.nextInt(3);
    if (which == 2) {
      rebuilder.close();
      assertEquals(0, rebuilder.nativeBytes());
      rebuilt = false;
      rebuilderClosed = random.nextBoolean();
      rebuilder = rebuilderClosed ? rebuilder : new BatchRebuilder();
    } else {
      validators[which].close();
      assertEquals(0, validators[which].nativeBytes());
      closed[which] = random.nextBoolean();
      validators[which] = closed[which] ? validators[which] : new BatchValidator();
    }
  }

  // ---- what to expect

  private void seal(Verdict verdict, @Nullable ByteBuffer batch) {
    sealed.put(verdict, batch == null ? null : new State(batch).header());
  }

  private static boolean isSealed(byte[] seal, byte[] header) {
    return Arrays.stream(
            seal[BatchLayout.MAGIC_OFFSET] == BatchLayout.MAGIC_V2 ? SEALED : SEALED_MESSAGE)
        .allMatch(r -> Arrays.equals(seal, r[0], r[1], header, r[0], r[1]));
  }

  private static boolean isValid(ByteBuffer buffer) {
    try {
      return last(buffer).isValid();
    } catch (RuntimeException e) { // Kafka finds no batch in damaged bytes
      return false;
    }
  }

  /** Returns the batch, or the last of several messages. */
  private static MutableRecordBatch last(ByteBuffer buffer) {
    Iterator<MutableRecordBatch> batches =
        MemoryRecords.readableRecords(buffer.slice()).batches().iterator();
    MutableRecordBatch last = batches.next();
    while (batches.hasNext()) {
      last = batches.next();
    }
    return last;
  }

  @Override
  public void close() {
    for (BatchValidator validator : validators) {
      validator.close();
      assertEquals(0, validator.nativeBytes());
    }
    rebuilder.close();
    assertEquals(0, rebuilder.nativeBytes());
  }

  /** A buffer as it was. */
  private static final class State {
    private final byte[] bytes;
    private final int position;
    private final int limit;
    private final ByteOrder order;

    State(ByteBuffer buffer) {
      bytes = bytes(buffer);
      position = buffer.position();
      limit = buffer.limit();
      order = buffer.order();
    }

    private static byte[] bytes(ByteBuffer buffer) {
      byte[] all = new byte[buffer.capacity()];
      buffer.duplicate().clear().get(all);
      return all;
    }

    byte[] header() {
      return Arrays.copyOfRange(bytes, position, Math.min(limit, position + HEADER));
    }

    void assertSame(ByteBuffer buffer) {
      assertSameBounds(buffer);
      assertArrayEquals(bytes, bytes(buffer));
    }

    void assertSameBehindHeader(ByteBuffer buffer) {
      assertSameBounds(buffer);
      byte[] now = bytes(buffer);
      int headerEnd = position + header().length;
      assertTrue(Arrays.equals(bytes, 0, position, now, 0, position));
      assertTrue(Arrays.equals(bytes, headerEnd, bytes.length, now, headerEnd, now.length));
    }

    private void assertSameBounds(ByteBuffer buffer) {
      assertEquals(position, buffer.position());
      assertEquals(limit, buffer.limit());
      assertEquals(order, buffer.order());
    }
  }
}
