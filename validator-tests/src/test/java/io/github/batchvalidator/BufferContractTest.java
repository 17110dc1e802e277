// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the buffer, an inspection leaves it alone, and a stamp changes the header only. */
class BufferContractTest {
  private static final int GUARD_BYTES = 64;
  private static final int MARK = 5;
  private static final byte GUARD = 0x5A;

  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();

  /** How the caller sees the bytes. */
  enum View {
    HEAP,
    DIRECT,
    SLICED,
    READ_ONLY,
    READ_ONLY_DIRECT,
    LITTLE_ENDIAN,
    LITTLE_ENDIAN_DIRECT;

    boolean isReadOnly() {
      return this == READ_ONLY || this == READ_ONLY_DIRECT;
    }

    boolean isDirect() {
      return this == DIRECT || this == READ_ONLY_DIRECT || this == LITTLE_ENDIAN_DIRECT;
    }
  }

  /** A codec, seen through a view. */
  record Given(Codec codec, View view) {}

  static List<Given> all() {
    List<Given> all = new ArrayList<>();
    for (Codec codec : Codec.values()) {
      for (View view : View.values()) {
        all.add(new Given(codec, view));
      }
    }
    return all;
  }

  @AfterEach
  void close() {
    validator.close();
  }

  @ParameterizedTest
  @MethodSource("all")
  void anAcceptingInspectionChangesNothing(Given given) {
    ByteBuffer batch = batch(given.codec());
    ByteBuffer view = view(given.view(), batch);
    byte[] before = everything(view);

    assertTrue(validator.inspect(view, Policy.CLIENT, Batches.nowMs(), verdict));

    assertUntouched(given.view(), batch.remaining(), view);
    assertArrayEquals(before, everything(view));
  }

  @ParameterizedTest
  @MethodSource("all")
  void aRefusingInspectionChangesNothing(Given given) {
    ByteBuffer batch = batch(given.codec());
    Policy policy =
        Policy.builder(Origin.CLIENT).compactedTopic(true).timestampWindowMs(0, 0).build();
    ByteBuffer view = view(given.view(), batch);
    byte[] before = everything(view);

    validator.inspect(view, policy, Batches.nowMs(), verdict);

    assertEquals(Reason.RECORD_KEY_MISSING, verdict.reason());
    assertUntouched(given.view(), batch.remaining(), view);
    assertArrayEquals(before, everything(view));
  }

  @ParameterizedTest
  @EnumSource(
      value = View.class,
      names = {"READ_ONLY", "READ_ONLY_DIRECT"},
      mode = EnumSource.Mode.EXCLUDE)
  void aStampChangesTheHeaderOnly(View kind) {
    ByteBuffer batch = batch(Codec.LZ4);
    Policy policy =
        Policy.builder(Origin.CLIENT)
            .target(Target.PRODUCER.withTimestampType(TimestampType.LOG_APPEND_TIME))
            .build();
    ByteBuffer view = view(kind, batch);
    byte[] expected = everything(view);
    assertTrue(validator.inspect(view, policy, 5, verdict));

    assertEquals(
        103, new OffsetStamp().firstOffset(100).leaderEpoch(7).nowMs(5).assign(view, verdict));

    ByteBuffer header = ByteBuffer.wrap(expected, GUARD_BYTES, batch.remaining()).slice();
    header.putLong(BatchLayout.BASE_OFFSET_OFFSET, 100);
    header.putInt(BatchLayout.PARTITION_LEADER_EPOCH_OFFSET, 7);
    header.putShort(
        BatchLayout.ATTRIBUTES_OFFSET, (short) (Codec.LZ4.id() | BatchLayout.TIMESTAMP_TYPE_MASK));
    header.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, 5);
    Batches.fixCrc(header);
    assertUntouched(kind, batch.remaining(), view);
    assertArrayEquals(expected, everything(view));
  }

  private static ByteBuffer batch(Codec codec) {
    byte[] value = "some value, some value, some value".getBytes(UTF_8);
    SimpleRecord record = new SimpleRecord(Batches.nowMs(), value);
    return Batches.of(codec, record, record, record);
  }

  /** Returns a view with guard bytes around the batch: before its position, behind its limit. */
  private static ByteBuffer view(View kind, ByteBuffer batch) {
    int size = batch.remaining() + 2 * GUARD_BYTES;
    ByteBuffer memory =
        kind.isDirect() ? ByteBuffer.allocateDirect(size + 3) : ByteBuffer.allocate(size + 3);
    memory.limit(size + (kind == View.SLICED ? 3 : 0)).position(kind == View.SLICED ? 3 : 0);
    ByteBuffer view = kind == View.SLICED ? memory.slice() : memory;
    byte[] guards = new byte[size];
    Arrays.fill(guards, GUARD);
    view.put(0, guards).put(GUARD_BYTES, batch, batch.position(), batch.remaining());
    ByteBuffer seen = kind.isReadOnly() ? view.asReadOnlyBuffer() : view;
    seen.order(isLittleEndian(kind) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    return seen.position(MARK).mark().limit(GUARD_BYTES + batch.remaining()).position(GUARD_BYTES);
  }

  private static boolean isLittleEndian(View kind) {
    return kind == View.LITTLE_ENDIAN || kind == View.LITTLE_ENDIAN_DIRECT;
  }

  private static void assertUntouched(View kind, int batchBytes, ByteBuffer view) {
    assertEquals(GUARD_BYTES, view.position());
    assertEquals(GUARD_BYTES + batchBytes, view.limit());
    assertEquals(isLittleEndian(kind), view.order() == ByteOrder.LITTLE_ENDIAN);
    assertEquals(MARK, view.duplicate().reset().position());
  }

  /** Returns every byte of the memory, guards included. */
  private static byte[] everything(ByteBuffer view) {
    ByteBuffer all = view.duplicate().clear();
    byte[] bytes = new byte[all.remaining()];
    all.get(bytes);
    return bytes;
  }
}
