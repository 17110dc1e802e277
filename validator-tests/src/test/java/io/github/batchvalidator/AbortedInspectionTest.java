// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
      assertThrows(IllegalStateException.class, () -> OffsetStamp.assign(batch, verdict, 0, 0, 0));
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
