// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationListener;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The calls of a listener, and the cause of a rebuild in a verdict. */
class ListenerTest {
  private final BatchValidator validator = new BatchValidator();
  private final MutableVerdict verdict = new MutableVerdict();
  private final List<String> told = new ArrayList<>();

  @AfterEach
  void close() {
    validator.close();
  }

  private ValidationListener named(String name) {
    return (of, where) ->
        told.add(
            name + " " + where + " " + of.accepted() + " " + of.reason() + " " + of.findings());
  }

  private static ByteBuffer batch(RecordBytes record) {
    return Batches.ofPlain(Codec.LZ4, 1, record.toBytes());
  }

  private void inspect(ByteBuffer batch, Policy policy) {
    validator.inspect(batch, policy, Batches.nowMs(), verdict);
  }

  @Test
  void listenersGetEachFinalVerdictOnce() {
    Policy strict = Policy.builder(Origin.CLIENT).level(Level.STRICT).build();
    validator.listener(named("a"));
    inspect(batch(new RecordBytes()), Policy.CLIENT);
    inspect(batch(new RecordBytes().attributes(1)), strict);
    inspect(ByteBuffer.allocate(100), Policy.CLIENT);
    assertEquals(
        List.of(
            "a null true null ",
            "a null false RECORD_ATTRIBUTES_RESERVED RECORD_ATTRIBUTES_RESERVED: "
                + "the attributes of the record are 1",
            "a null false FRAMING_LENGTH_TOO_SMALL "),
        told);
  }

  @Test
  void listenersGetObservedFindings() {
    validator.listener(named("a"));
    Policy observing = Policy.builder(Origin.CLIENT).observing(true).build();
    inspect(batch(new RecordBytes().lengthError(1)), observing);
    assertEquals(1, verdict.findings().count());
    assertEquals(
        List.of("a null true null RECORD_LENGTH_UNTRUE: " + verdict.findings().describe(0)), told);
  }

  @Test
  void aRemovedListenerIsNotCalled() {
    validator.listener(named("a")).listener(null);
    inspect(batch(new RecordBytes()), Policy.CLIENT);
    assertEquals(List.of(), told);
  }

  @Test
  void severalListenersAreCalledInOrder() {
    ValidationListener all = named("a").and(named("b")).and(named("c"));
    all.judged(verdict, "orders-3");
    assertEquals(
        List.of("a orders-3 false null ", "b orders-3 false null ", "c orders-3 false null "),
        told);
    ValidationListener one = named("a");
    assertThrows(NullPointerException.class, () -> one.and(nothing()));
  }

  @SuppressWarnings("NullAway") // misuse
  private static ValidationListener nothing() {
    return null;
  }

  // ---- the cause of a rebuild

  private @Nullable RebuildCause inspected(ByteBuffer batch, int toMagic) {
    inspect(
        batch,
        Policy.builder(Origin.COORDINATOR)
            .target(Target.PRODUCER.withMagic((byte) toMagic))
            .build());
    assertEquals(verdict.needsRebuild(), verdict.rebuildCause() != null);
    return verdict.rebuildCause();
  }

  @Test
  void inspectionNamesTheCauseOfARebuild() {
    LegacyMessage[] inner = LegacyMessage.several(1, 3);
    assertEquals(null, inspected(batch(new RecordBytes()), 2));
    assertEquals(RebuildCause.OTHER_MAGIC, inspected(batch(new RecordBytes()), 1));
    ByteBuffer sequential = LegacyMessage.holding(1, Codec.LZ4, inner).offset(2).toBuffer();
    assertEquals(null, inspected(sequential, LegacyLayout.MAGIC_V1));
    assertEquals(RebuildCause.OTHER_MAGIC, inspected(sequential, 2));
    ByteBuffer ahead = LegacyMessage.holding(1, Codec.LZ4, inner).offset(50).toBuffer();
    assertEquals(RebuildCause.OTHER_OFFSETS, inspected(ahead, LegacyLayout.MAGIC_V1));
    ByteBuffer old =
        LegacyMessage.holding(0, Codec.GZIP, LegacyMessage.several(0, 3)).offset(2).toBuffer();
    assertEquals(RebuildCause.OTHER_OFFSETS, inspected(old, LegacyLayout.MAGIC_V0));
  }

  private @Nullable RebuildCause rebuilt(ByteBuffer batch, Codec target, int toMagic) {
    Policy policy =
        Policy.builder(Origin.COORDINATOR)
            .target(Target.PRODUCER.withMagic((byte) toMagic))
            .build();
    try (BatchRebuilder rebuilder = new BatchRebuilder()) {
      rebuilder.rebuild(batch, Batches.storing(policy, target), Batches.nowMs(), verdict);
    }
    return verdict.rebuildCause();
  }

  @Test
  void rebuildNamesTheCauseOfARebuild() {
    ByteBuffer batch = batch(new RecordBytes());
    assertEquals(RebuildCause.OTHER_CODEC, rebuilt(batch, Codec.ZSTD, 2));
    assertEquals(RebuildCause.OTHER_CODEC, rebuilt(batch, Codec.NONE, 1));
    assertEquals(RebuildCause.OTHER_MAGIC, rebuilt(batch, Codec.LZ4, 1));
    assertEquals(RebuildCause.OTHER_OFFSETS, rebuilt(batch, Codec.LZ4, 2));
    assertEquals(null, rebuilt(ByteBuffer.allocate(100), Codec.LZ4, 2));
    assertEquals(Reason.FRAMING_LENGTH_TOO_SMALL, verdict.reason());
  }

  /** The source has other bytes than the log gets: nothing may stamp it. */
  @Test
  void theSourceOfARebuildIsNotStamped() {
    ByteBuffer batch = batch(new RecordBytes());
    assertEquals(RebuildCause.OTHER_CODEC, rebuilt(batch, Codec.ZSTD, 2));
    assertThrows(
        IllegalStateException.class,
        () ->
            new OffsetStamp()
                .firstOffset(7)
                .leaderEpoch(1)
                .nowMs(Batches.nowMs())
                .assign(batch, verdict));
  }
}
