// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.KafkaReads;
import io.github.batchvalidator.differential.RebuildReferee.Task;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.ZstdFrames;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A match that reaches past the window of its frame finds bytes of earlier frames in the buffer.
 * Which bytes depends on which earlier frames the reader streamed. For a frame that declares its
 * content size, this depends on the room in the reader's buffer.
 */
final class ZstdReachTest {
  private static final int CONTENT_SIZE_OF_4_BYTES = 0x80;
  private static final int WINDOW_LOG = 10;
  private static final int MAX_BLOCK_LOG = 17;
  private static final int FIRST_BYTES = 40;
  private static final int BLOCKS = 12;
  private static final int LITERALS = 600;
  private static final int OFFSET = 4_092;
  private static final int REPEATED = 3;
  private static final int REACHING_BYTES = (BLOCKS << WINDOW_LOG) + LITERALS + REPEATED;

  private final Referee referee = new Referee();
  private final RebuildReferee rebuilding = new RebuildReferee();
  private final BatchValidator validator = new BatchValidator();
  private final BatchValidator lowMemory = BatchValidator.lowMemory();
  private final BatchValidator likeKafka = KafkaReads.validator();
  private final MutableVerdict verdict = new MutableVerdict();

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
  void verdictsAreThoseOfKafkasReadersAfterEachFrame(int bytes) {
    check(bytes);
    for (int second : new int[] {20, 3_000, 16_384, 20_000, 70_000, 100_000}) {
      check(bytes, second);
      check(20, second, bytes);
    }
  }

  @Test
  void someBatchesAreKeptThatNoConsumerReads() {
    byte[] batch = behind(40, 20_000);
    assertTrue(isKept(batch), "Kafka streams the second frame");
    assertFalse(isReadable(batch), "its consumers have room for it");
    for (BatchValidator each : new BatchValidator[] {validator, lowMemory, likeKafka}) {
      assertFalse(inspect(each, batch, strict(Origin.CLIENT)));
      assertEquals(Reason.CODEC_STREAM_AMBIGUOUS, verdict.reason());
    }
  }

  /** Frames of all forms, of which any may have such a match. */
  @Test
  void verdictsAreThoseOfKafkasReadersInAnyOrder() {
    int kept = 0;
    int readable = 0;
    int sound = 0;
    for (int seed = 0; seed < 1_000; seed++) {
      byte[] batch = inAnyOrder(new Random(seed));
      String what = "seed " + seed;
      checkAtKafka(batch, what);
      boolean isReadable = isReadable(batch);
      boolean isSound = inspect(validator, batch, strict(Origin.CLIENT));
      assertEquals(isSound, inspect(lowMemory, batch, strict(Origin.CLIENT)), what);
      assertEquals(isSound, inspect(likeKafka, batch, strict(Origin.CLIENT)), what);
      assertEquals(isSound, inspect(validator, batch, strict(Origin.STORED)), what);
      assertTrue(isReadable || !isSound, what);
      kept += isKept(batch) ? 1 : 0;
      readable += isReadable ? 1 : 0;
      sound += isSound ? 1 : 0;
    }
    assertTrue(sound > 0 && sound < readable && readable < kept && kept < 1_000);
  }

  private void check(int... frames) {
    byte[] batch = behind(frames);
    String what = "behind frames of " + Arrays.toString(frames);
    checkAtKafka(batch, what);
    for (BatchValidator each : new BatchValidator[] {validator, lowMemory, likeKafka}) {
      assertFalse(inspect(each, batch, strict(Origin.CLIENT)), what);
      assertFalse(inspect(each, batch, strict(Origin.STORED)), what);
    }
  }

  private void checkAtKafka(byte[] batch, String what) {
    boolean isKept = isKept(batch);
    boolean isReadable = isReadable(batch);
    for (BatchValidator each : new BatchValidator[] {validator, lowMemory, likeKafka}) {
      assertEquals(isKept, inspect(each, batch, Policy.CLIENT), what);
      assertEquals(isReadable, inspect(each, batch, Policy.STORED), what);
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
    assertEquals(Arrays.stream(frames).sum() + REACHING_BYTES, plain.length);
    byte[] stored = new byte[0];
    int at = 0;
    for (int bytes : frames) {
      stored = Bytes.concat(stored, single(Arrays.copyOfRange(plain, at, at + bytes)));
      at += bytes;
    }
    return Batches.ofPayload(Codec.ZSTD, 1, Bytes.concat(stored, reaching())).array();
  }

  private static byte[] inAnyOrder(Random random) {
    int frames = 2 + random.nextInt(5);
    byte[][] stored = new byte[frames][];
    int all = FIRST_BYTES;
    for (int i = 1; i < frames; i++) {
      int bytes = 1 + random.nextInt(1 << (1 + random.nextInt(17)));
      boolean reaches = random.nextInt(3) == 0;
      stored[i] = reaches ? reaching() : inSomeForm(new byte[bytes], random);
      all += reaches ? REACHING_BYTES : bytes;
    }
    byte[] plain = recordOf(all);
    stored[0] = inSomeForm(Arrays.copyOf(plain, FIRST_BYTES + plain.length - all), random);
    return Batches.ofPayload(Codec.ZSTD, 1, Bytes.concat(stored)).array();
  }

  private static byte[] inSomeForm(byte[] plain, Random random) {
    int log = WINDOW_LOG + random.nextInt(9);
    return switch (random.nextInt(3)) {
      case 0 -> single(plain);
      case 1 -> inBlocks(0, new byte[0], log, plain);
      default -> inBlocks(CONTENT_SIZE_OF_4_BYTES, Bytes.littleEndian(plain.length), log, plain);
    };
  }

  /** Returns a frame whose window is what it says it holds. */
  private static byte[] single(byte[] plain) {
    byte[] size = Bytes.littleEndian(plain.length);
    int descriptor = ZstdFrames.SINGLE_SEGMENT | CONTENT_SIZE_OF_4_BYTES;
    return ZstdFrames.frame(descriptor, size, ZstdFrames.raw(true, plain));
  }

  private static byte[] inBlocks(int descriptor, byte[] size, int windowLog, byte[] plain) {
    int most = 1 << Math.min(windowLog, MAX_BLOCK_LOG);
    byte[] fields = Bytes.concat(ZstdFrames.window(windowLog), size);
    byte[] frame = ZstdFrames.frame(descriptor, fields);
    for (int at = 0; at < plain.length; at += most) {
      int end = Math.min(at + most, plain.length);
      byte[] block = Arrays.copyOfRange(plain, at, end);
      frame = Bytes.concat(frame, ZstdFrames.raw(end == plain.length, block));
    }
    return frame;
  }

  /** Returns a frame of zeros that ends with a match from behind its window. */
  private static byte[] reaching() {
    byte[] frame = ZstdFrames.frame(0, ZstdFrames.window(WINDOW_LOG));
    for (int i = 0; i < BLOCKS; i++) {
      frame = Bytes.concat(frame, ZstdFrames.raw(false, new byte[1 << WINDOW_LOG]));
    }
    byte[] last = ZstdFrames.reachingBack(true, new byte[LITERALS], OFFSET);
    return Bytes.concat(frame, last);
  }

  /**
   * Returns a record whose value is nothing but zeros, and from its byte 20 on all of it.
   *
   * @param bytes how many it has; or one or two more, where a length takes another byte
   */
  private static byte[] recordOf(int bytes) {
    int value = bytes + bytes - record(bytes).length;
    while (record(value).length < bytes) {
      value++;
    }
    return record(value);
  }

  private static byte[] record(int valueBytes) {
    return new RecordBytes().value(varint(valueBytes, 1), new byte[valueBytes]).toBytes();
  }
}
