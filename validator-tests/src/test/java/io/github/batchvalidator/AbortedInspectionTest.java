// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * An exception in the middle of a batch leaves nothing that could be stored. No known input causes
 * one, so the tests remove a part of the engine.
 */
class AbortedInspectionTest {
  private final MutableVerdict verdict = new MutableVerdict();
  private final ByteBuffer batch = Batches.of(Codec.NONE, new SimpleRecord(new byte[10]));

  @Test
  void anInspectionThatThrowsHasNotAccepted() throws ReflectiveOperationException {
    try (BatchValidator validator = new BatchValidator()) {
      Object engine = part(validator, "engine");
      Object records = part(engine, "records");
      put(engine, "records", null);
      assertThrows(
          NullPointerException.class,
          () -> validator.inspect(batch, Policy.CLIENT, Batches.nowMs(), verdict));
      assertFalse(verdict.accepted());
      assertThrows(
          IllegalStateException.class,
          () -> new OffsetStamp().firstOffset(0).leaderEpoch(0).nowMs(0).assign(batch, verdict));
      put(engine, "records", records);
    }
  }

  @Test
  void aRebuildThatThrowsHasNothingToStore() throws ReflectiveOperationException {
    try (RebuildEngine rebuilder = new RebuildEngine(WindowDecoders.fastest())) {
      assertTrue(rebuild(rebuilder));
      put(part(rebuilder, "batch"), "records", null);
      assertThrows(NullPointerException.class, () -> rebuild(rebuilder));
      assertFalse(verdict.accepted());
      assertThrows(IllegalStateException.class, () -> rebuilder.batch());
      assertThrows(
          NullPointerException.class,
          () -> rebuilder.check(batch, Policy.CLIENT, Batches.nowMs(), verdict));
      assertFalse(verdict.accepted());
    }
  }

  /** A caller that catches the error, as a broker does, reads why the batch was not accepted. */
  @Test
  void aLackOfMemoryIsTheReason() {
    OutOfMemoryError none = new OutOfMemoryError("Java heap space");
    Policy storing = Batches.storing(Policy.CLIENT, Codec.LZ4);
    ByteBuffer direct = Batches.direct(batch); // an array needs no decoder
    try (BatchValidator validator = new BatchValidator(new FullHeap(none));
        RebuildEngine rebuilder = new RebuildEngine(new FullHeap(none))) {
      for (Executable call :
          List.<Executable>of(
              () -> validator.inspect(direct, Policy.CLIENT, Batches.nowMs(), verdict),
              () -> rebuilder.rebuild(batch, storing, 0, Batches.nowMs(), verdict),
              () -> rebuilder.check(batch, Policy.CLIENT, Batches.nowMs(), verdict))) {
        verdict.reset(Policy.CLIENT);
        assertSame(none, assertThrows(OutOfMemoryError.class, call));
        assertFalse(verdict.accepted());
        assertEquals(Reason.CODEC_OUT_OF_MEMORY, verdict.reason());
        assertSame(none, verdict.cause());
      }
    }
  }

  /** Decoders whose streams have no room for a block. */
  private static final class FullHeap extends Decoders {
    private final Error thrown;

    FullHeap(Error thrown) {
      this.thrown = thrown;
    }

    @Override
    protected PayloadDecoder construct(Codec codec) {
      return new PayloadDecoder() {
        @Override
        protected void start(Limits limits, ByteWindow window) {
          throw thrown;
        }

        @Override
        public boolean refill(ByteWindow window) {
          throw thrown;
        }

        @Override
        public void release() {}

        @Override
        public long heapBytes() {
          return 0;
        }

        @Override
        public long nativeBytes() {
          return 0;
        }

        @Override
        public void close() {}
      };
    }
  }

  private boolean rebuild(RebuildEngine rebuilder) {
    Policy storing = Batches.storing(Policy.CLIENT, Codec.LZ4);
    return rebuilder.rebuild(
        Batches.framed(batch), storing, Codec.NONE, 0, Batches.nowMs(), verdict);
  }

  private static void put(Object into, String name, @Nullable Object part)
      throws ReflectiveOperationException {
    field(into, name).set(into, part);
  }

  private static Object part(Object of, String name) throws ReflectiveOperationException {
    return field(of, name).get(of);
  }

  private static Field field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
