// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.Snappy;

/**
 * A host that changes a buffer while it is inspected gets any verdict, or an exception. The next
 * batch gets the right verdict. No memory of others is overwritten: with a codec library that reads
 * a size again and trusts it, the JVM may crash here.
 */
class ChangedBytesIT {
  private static final int ROUNDS = 30;
  private static final int CALLS = 30;
  private static final int RECORDS = 150;
  private static final int VALUE_BYTES = 1000;
  private static final byte UNKNOWN_CODEC = 7;

  /** More than the decoder keeps room for. */
  private static final int LARGE_BLOCK_BYTES = 1 << 20;

  private static final Policy UNCHECKED = Policy.builder(Origin.CLIENT).checkedByHost(true).build();

  private static final List<Policy> POLICIES =
      List.of(
          UNCHECKED,
          UNCHECKED.toBuilder().level(Level.STRICT).build(),
          UNCHECKED.toBuilder()
              .topicRules(
                  TopicRules.NONE
                      .with(TopicRule.VALUE_REQUIRED, true)
                      .with(TopicRule.HEADERS_FORBIDDEN, List.of("no")))
              .build());

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Verdict verdict = BatchValidator.newVerdict();
  private volatile boolean changing;

  @AfterEach
  void close() {
    thread.shutdownNow();
  }

  /** Returns a batch of several blocks, pieces and windows. */
  private static byte[] batch(Codec codec) {
    Random random = new Random(1);
    SimpleRecord[] records = new SimpleRecord[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      Arrays.fill(value, random.nextInt(VALUE_BYTES), VALUE_BYTES, (byte) 7);
      records[i] = new SimpleRecord(Batches.nowMs(), new byte[] {(byte) i}, value);
    }
    return Batches.copy(Batches.of(codec, records)).array();
  }

  @ParameterizedTest
  @EnumSource
  void theNextInspectionIsRight(Codec codec) throws Exception {
    try (BatchValidator fastest = new BatchValidator();
        BatchValidator small = BatchValidator.lowMemory()) {
      for (BatchValidator validator : List.of(fastest, small)) {
        byte[] sound = batch(codec);
        whileBytesChange(
            sound,
            (bytes, policy) ->
                validator.inspect(ByteBuffer.wrap(bytes), policy, Batches.nowMs(), verdict),
            policy -> {
              ByteBuffer next = ByteBuffer.wrap(sound);
              assertTrue(
                  validator.inspect(next, policy, Batches.nowMs(), verdict), verdict::toString);
              assertEquals(RECORDS, verdict.recordCount());
              assertEquals(0, verdict.findings().count());
            });
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theNextRebuildIsRight(Codec codec) throws Exception {
    Codec target = codec == Codec.ZSTD ? Codec.GZIP : Codec.ZSTD;
    try (BatchRebuilder rebuilder = new BatchRebuilder()) {
      byte[] sound = batch(codec);
      Policy storing = Batches.storing(UNCHECKED, target);
      assertTrue(
          rebuilder.rebuild(ByteBuffer.wrap(sound), storing, Batches.nowMs(), verdict),
          verdict::toString);
      ByteBuffer expected = Batches.copy(rebuilder.batch());
      whileBytesChange(
          sound,
          (bytes, policy) ->
              rebuilder.rebuild(ByteBuffer.wrap(bytes), storing, Batches.nowMs(), verdict),
          policy -> {
            ByteBuffer next = ByteBuffer.wrap(sound);
            assertTrue(
                rebuilder.rebuild(next, storing, Batches.nowMs(), verdict), verdict::toString);
            assertEquals(expected, rebuilder.batch());
          });
    }
  }

  /** The library reads the size of a block again, and writes as many bytes. */
  @Test
  void aSnappyBlockHasTheSizeThatWasChecked() throws Exception {
    byte[] header = batch(Codec.SNAPPY);
    byte[] block = Snappy.compress(new byte[LARGE_BLOCK_BYTES]);
    ByteBuffer bytes = ByteBuffer.allocate(BatchLayout.HEADER_BYTES + block.length);
    bytes.put(header, 0, BatchLayout.HEADER_BYTES).put(block).clear();
    bytes.putInt(BatchLayout.LENGTH_OFFSET, bytes.capacity() - BatchLayout.LOG_OVERHEAD);
    Policy bounded =
        UNCHECKED.toBuilder()
            .limits(Limits.UNBOUNDED_AS_KAFKA.with(Limit.CODEC_MEMORY_BYTES, 2L * block.length))
            .build();
    int size = BatchLayout.HEADER_BYTES;
    byte large = bytes.get(size);
    try (BatchValidator validator = new BatchValidator()) {
      Future<?> changes = start(() -> bytes.put(size, bytes.get(size) == large ? (byte) 1 : large));
      for (int i = 0; i < 20_000; i++) {
        assertFalse(validator.inspect(bytes, bounded, 0, verdict));
      }
      stop(changes);
    }
  }

  /** A codec that was valid when it was checked is one that no decoder exists for. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void theCodecOfAMessageIsTheOneThatWasChecked(int magic) throws Exception {
    ByteBuffer bytes =
        LegacyMessage.holding(magic, Codec.GZIP, LegacyMessage.several(magic, 2)).toBuffer();
    byte sound = bytes.get(LegacyLayout.ATTRIBUTES_OFFSET);
    try (BatchValidator validator = new BatchValidator();
        BatchRebuilder rebuilder = new BatchRebuilder()) {
      Future<?> changes =
          start(
              () -> {
                bytes.put(LegacyLayout.ATTRIBUTES_OFFSET, UNKNOWN_CODEC);
                Thread.onSpinWait();
                bytes.put(LegacyLayout.ATTRIBUTES_OFFSET, sound);
              });
      for (int i = 0; i < 50_000; i++) {
        validator.inspect(bytes, UNCHECKED, 0, verdict);
        rebuilder.rebuild(bytes, UNCHECKED, 0, verdict);
      }
      stop(changes);
    }
  }

  /** The decoder remembers the last valid header, to hash none that is the same. */
  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("EnumOrdinal") // the places are in the order of the bytes
  void anLz4HeaderThatWasNeverValidIsNotRemembered(Place place) throws Exception {
    byte[] sound = batch(Codec.LZ4);
    byte[] invalid = sound.clone();
    int at = BatchLayout.HEADER_BYTES + 4 + place.ordinal();
    invalid[at] ^= place.bit;
    byte[] changing = sound.clone();
    try (BatchValidator validator = new BatchValidator()) {
      Future<?> changes = start(() -> changing[at] ^= place.bit);
      for (int i = 0; i < 20_000; i++) {
        validator.inspect(ByteBuffer.wrap(changing, 0, sound.length), UNCHECKED, 0, verdict);
      }
      stop(changes);
      assertFalse(validator.inspect(ByteBuffer.wrap(invalid), UNCHECKED, 0, verdict));
    }
  }

  /** Flags, block size and checksum of the header of an LZ4 frame, with a bit to change. */
  enum Place {
    FLAGS(0x04),
    BLOCK_SIZE(0x10),
    CHECKSUM(0x01);

    final byte bit;

    Place(int bit) {
      this.bit = (byte) bit;
    }
  }

  // ---- changes

  /** What gets bytes that change. */
  private interface Call {
    void of(byte[] bytes, Policy policy);
  }

  /** An assertion that runs once the bytes no longer change. */
  private interface Check {
    void by(Policy policy);
  }

  private void whileBytesChange(byte[] sound, Call call, Check check) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = sound.clone();
      SplittableRandom random = new SplittableRandom(round);
      int records = bytes.length - BatchLayout.HEADER_BYTES;
      int span = Math.min(records, round % 2 == 0 ? 40 : records);
      Policy policy = POLICIES.get(round % POLICIES.size());
      Future<?> changes =
          start(
              () -> {
                int at = BatchLayout.HEADER_BYTES + random.nextInt(span);
                byte before = bytes[at];
                bytes[at] = (byte) random.nextInt();
                Thread.onSpinWait();
                bytes[at] = before;
              });
      for (int i = 0; i < CALLS; i++) {
        try {
          call.of(bytes, policy);
        } catch (IndexOutOfBoundsException e) {
          // a size has changed after it was checked
        }
      }
      stop(changes);
      check.by(policy);
    }
  }

  private Future<?> start(Runnable change) {
    changing = true;
    return thread.submit(
        () -> {
          while (changing) {
            change.run();
          }
        });
  }

  private void stop(Future<?> changes) throws Exception {
    changing = false;
    changes.get();
  }
}
