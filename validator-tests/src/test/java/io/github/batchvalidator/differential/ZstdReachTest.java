// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.codec.Bytes;
import io.github.batchvalidator.codec.ZstdFrames;
import io.github.batchvalidator.differential.RebuildReferee.Task;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RecordBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A match that reaches behind the window of its frame. In a stream it finds what an earlier frame
 * has left of a buffer, and so it depends on which of the earlier frames the reader streamed, and
 * on those that say how much they hold by how much room there was for them.
 */
final class ZstdReachTest {
  private static final int CONTENT_SIZE_OF_4_BYTES = 0x80;
  private static final int WINDOW_LOG = 10;
  private static final int BLOCKS = 12;
  private static final int LITERALS = 600;
  private static final int OFFSET = 4_092;
  private static final int REPEATED = 3;
  private static final int REACHING_BYTES = (BLOCKS << WINDOW_LOG) + LITERALS + REPEATED;

  private final Referee referee = new Referee();
  private final RebuildReferee rebuilding = new RebuildReferee();
  private final BatchValidator validator = new BatchValidator();
  private final BatchValidator lowMemory = BatchValidator.lowMemory();
  private final BatchValidator likeKafka = BatchValidator.likeKafka();
  private final Verdict verdict = new Verdict();

  @AfterEach
  void close() {
    referee.close();
    rebuilding.close();
    validator.close();
    lowMemory.close();
    likeKafka.close();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        20, 1_500, 2_049, 9_000, 16_000, 16_384, 16_385, 40_000, 65_536, 65_537, 81_920, 131_000
      })
  void isAsInKafkasReadersBehindEachFrame(int bytes) {
    check(bytes);
    for (int second : new int[] {20, 3_000, 16_384, 20_000, 70_000, 100_000}) {
      check(bytes, second);
      check(20, second, bytes);
    }
  }

  @Test
  void someArePoison() {
    byte[] batch = behind(40, 20_000);
    assertEquals(true, isKept(batch), "Kafka streams the second frame");
    assertEquals(false, isReadable(batch), "its consumers have room for it");
    for (BatchValidator each : new BatchValidator[] {validator, lowMemory, likeKafka}) {
      assertFalse(inspect(each, batch, strict(Origin.CLIENT)));
      assertEquals(Reason.CODEC_STREAM_AMBIGUOUS, verdict.reason());
    }
  }

  private void check(int... frames) {
    byte[] batch = behind(frames);
    String what = "behind frames of " + Arrays.toString(frames);
    boolean isKept = isKept(batch);
    boolean isReadable = isReadable(batch);
    for (BatchValidator each : new BatchValidator[] {validator, lowMemory, likeKafka}) {
      assertEquals(isKept, inspect(each, batch, Policy.CLIENT), what);
      assertEquals(isReadable, inspect(each, batch, Policy.STORED), what);
      assertFalse(inspect(each, batch, strict(Origin.CLIENT)), what);
      assertFalse(inspect(each, batch, strict(Origin.STORED)), what);
    }
    Policy policy = Task.policy(Origin.CLIENT, TimestampType.CREATE_TIME, Long.MAX_VALUE, 1, 2);
    int rebuilt = rebuilding.judge(new Task(policy, Codec.LZ4, 0), BufferKind.HEAP, batch);
    assertEquals(isReadable ? 1 : 0, rebuilt, what);
  }

  private boolean isKept(byte[] batch) {
    return referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted();
  }

  private boolean isReadable(byte[] batch) {
    return referee.kafka.readAll(batch) == null;
  }

  private boolean inspect(BatchValidator by, byte[] batch, Policy policy) {
    return by.inspect(ByteBuffer.wrap(batch), policy, Batches.nowMs(), verdict);
  }

  private static Policy strict(Origin origin) {
    return Policy.builder(origin).level(Level.STRICT).build();
  }

  /** Returns a batch of one record: frames of so many bytes, and one with such a match. */
  private static byte[] behind(int... frames) {
    byte[] plain = recordOf(Arrays.stream(frames).sum() + REACHING_BYTES);
    byte[] stored = new byte[0];
    int at = 0;
    for (int bytes : frames) {
      byte[] block = ZstdFrames.raw(true, Arrays.copyOfRange(plain, at, at + bytes));
      byte[] size = Bytes.littleEndian(bytes);
      int descriptor = ZstdFrames.SINGLE_SEGMENT | CONTENT_SIZE_OF_4_BYTES;
      stored = Bytes.concat(stored, ZstdFrames.frame(descriptor, size, block));
      at += bytes;
    }
    byte[] reaching = ZstdFrames.frame(0, ZstdFrames.window(WINDOW_LOG));
    for (int i = 0; i < BLOCKS; i++) {
      reaching = Bytes.concat(reaching, ZstdFrames.raw(false, new byte[1 << WINDOW_LOG]));
    }
    byte[] last = ZstdFrames.reachingBack(true, new byte[LITERALS], OFFSET);
    return Batches.ofPayload(Codec.ZSTD, 1, Bytes.concat(stored, reaching, last)).array();
  }

  /** Returns a record of so many bytes, whose value is nothing but zeros from byte 20 on. */
  private static byte[] recordOf(int bytes) {
    int around = record(bytes).length - bytes;
    byte[] record = record(bytes - around);
    assertEquals(bytes, record.length);
    return record;
  }

  private static byte[] record(int valueBytes) {
    return new RecordBytes().value(varint(valueBytes, 1), new byte[valueBytes]).toBytes();
  }
}
