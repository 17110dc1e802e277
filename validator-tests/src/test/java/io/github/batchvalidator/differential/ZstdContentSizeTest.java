// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A zstd frame that declares its content size and starts inside a record. A reader notices a wrong
 * size or not, depending on the room in its buffer, and so on the size of the record.
 */
final class ZstdContentSizeTest {
  private static final int BLOCK_BYTES = 128 * 1024;
  private static final int CONTENT_SIZE_OF_4_BYTES = 0x80;
  private static final int CONTENT_SIZE_OF_8_BYTES = 0xc0;
  private static final int[] ERRORS = {0, 1, -1, 500, -500, 1 << 20};

  /** The layout of the blocks of such a frame. */
  private enum Form {
    FULL,
    ENDS_EMPTY,
    WITH_EMPTY_COMPRESSED_BLOCK
  }

  private final Referee referee = new Referee();
  private final RebuildReferee rebuilding = new RebuildReferee();
  private final BatchValidator validator = new BatchValidator();
  private final BatchValidator lowMemory = BatchValidator.lowMemory();
  private final BatchValidator likeKafka = KafkaReads.validator();
  private final MutableVerdict verdict = new MutableVerdict();
  private int poisonous;
  private int noticed;

  @AfterEach
  void close() {
    referee.close();
    rebuilding.close();
    validator.close();
    lowMemory.close();
    likeKafka.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 12_000, 25_000, 60_000, 90_000, 200_000, 400_000})
  void verdictsAreThoseOfKafkasReaders(int valueBytes) {
    byte[] plain = plain(valueBytes);
    for (int held : new int[] {900, 3_000, 16_384, 19_000, 50_000, 65_536, 80_000, 150_000}) {
      for (int from : new int[] {30, 40, 600}) {
        for (int error : ERRORS) {
          if (held + error >= 0 && from + held < plain.length) {
            for (Form form : Form.values()) {
              check(plain, from, held, held + error, form);
            }
          }
        }
      }
    }
  }

  @Test
  void someBatchesAreKeptThatNoConsumerReads() {
    byte[] plain = plain(25_000);
    check(plain, 40, 19_000, 20_000, Form.ENDS_EMPTY);
    assertEquals(1, poisonous, "a broker keeps it, and no consumer can read it");
    check(plain, 40, 19_000, 25_500, Form.ENDS_EMPTY);
    assertEquals(0, noticed, "more than anybody has room for");
    check(plain, 40, 3_000, 5_000, Form.ENDS_EMPTY);
    assertEquals(1, noticed, "by all");
    check(plain, 40, 19_000, 19_000, Form.WITH_EMPTY_COMPRESSED_BLOCK);
    assertEquals(2, poisonous, "kept, as what has a wrong size is");
  }

  private void check(byte[] plain, int from, int held, int declared, Form form) {
    byte[] batch = batch(plain, from, held, declared, form);
    String what =
        "%d of %d from %d on, says %d, %s".formatted(held, plain.length, from, declared, form);
    boolean isReadable = referee.kafka.readAll(batch) == null;
    boolean isKept = referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted();
    assertEquals(isKept, inspect(validator, batch, Policy.CLIENT), what);
    assertEquals(isKept, inspect(likeKafka, batch, Policy.CLIENT), what);
    assertEquals(isKept, inspect(lowMemory, batch, Policy.CLIENT), what);
    assertEquals(isReadable, inspect(validator, batch, Policy.STORED), what);
    assertEquals(isReadable, inspect(likeKafka, batch, Policy.STORED), what);
    assertEquals(isReadable, inspect(lowMemory, batch, Policy.STORED), what);
    Policy policy = Task.policy(Origin.CLIENT, TimestampType.CREATE_TIME, Long.MAX_VALUE, 1, 2);
    int rebuilt = rebuilding.judge(new Task(policy, Codec.LZ4, 0), BufferKind.HEAP, batch);
    assertEquals(isReadable ? 1 : 0, rebuilt, what);
    for (BatchValidator each : new BatchValidator[] {validator, lowMemory, likeKafka}) {
      for (Origin origin : new Origin[] {Origin.CLIENT, Origin.STORED}) {
        boolean isAccepted = inspect(each, batch, strict(origin));
        boolean isSound = held == declared && form != Form.WITH_EMPTY_COMPRESSED_BLOCK;
        assertEquals(isSound, isAccepted, what);
        assertTrue(isReadable || !isAccepted, what);
      }
    }
    poisonous += isKept && !isReadable ? 1 : 0;
    noticed += isKept ? 0 : 1;
  }

  private static Policy strict(Origin origin) {
    return Policy.builder(origin).level(Level.STRICT).build();
  }

  private boolean inspect(BatchValidator by, byte[] batch, Policy policy) {
    return by.inspect(ByteBuffer.wrap(batch), policy, Batches.nowMs(), verdict);
  }

  /** Room for all of a frame spares its window: Kafka's reader of a large record has it, too. */
  @Test
  void aBlockMayBeLargerThanAWindowThatIsNotNeeded() {
    byte[] plain = plain(60_000);
    byte[] second = Arrays.copyOfRange(plain, 40, 40 + 30_000);
    byte[] fields = Bytes.concat(ZstdFrames.window(10), Bytes.littleEndian(second.length));
    byte[] middle = ZstdFrames.frame(CONTENT_SIZE_OF_4_BYTES, fields, ZstdFrames.raw(true, second));
    byte[] batch = around(plain, 40, second.length, middle);
    assertEquals(null, referee.kafka.readAll(batch));
    assertTrue(inspect(validator, batch, Policy.STORED), verdict::toString);
    assertFalse(inspect(validator, batch, strict(Origin.STORED)));
    assertEquals(Reason.CODEC_STREAM_AMBIGUOUS, verdict.reason());
    assertFalse(inspect(likeKafka, batch, Policy.STORED), "it has room for one portion");
    assertFalse(referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted());
    assertFalse(inspect(validator, batch, Policy.CLIENT));
    assertEquals(Reason.CODEC_DATA_CORRUPT, verdict.reason());
  }

  /** The library takes 2^64 - 1 for no size, wherever it decodes; the format does not. */
  @Test
  void aSizeThatStandsForNoneIsAWrongOne() {
    byte[] plain = new RecordBytes().toBytes();
    byte[] fields = Bytes.concat(ZstdFrames.window(20), Bytes.littleEndian(-1L));
    byte[] frame = ZstdFrames.frame(CONTENT_SIZE_OF_8_BYTES, fields, ZstdFrames.raw(true, plain));
    byte[] batch = Batches.ofPayload(Codec.ZSTD, 1, frame).array();
    assertTrue(referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted());
    for (BatchValidator each : new BatchValidator[] {validator, lowMemory, likeKafka}) {
      assertTrue(inspect(each, batch, Policy.CLIENT), verdict::toString);
      assertFalse(inspect(each, batch, strict(Origin.CLIENT)));
      assertEquals(Reason.CODEC_STREAM_AMBIGUOUS, verdict.reason());
    }
  }

  /**
   * The last three bytes of the second frame are a match that reaches past the window. A streaming
   * reader, whose buffer has wrapped around, finds other bytes there than a reader that decodes the
   * whole frame at once. Kafka's readers do the latter if a record has room for the frame. One of
   * the three bytes is the header count of the record.
   */
  @ParameterizedTest
  @CsvSource({
    "11000, false, false, true, false",
    "20000, true, true, true, false",
    "100000, true, true, true, true"
  })
  void aMatchBeyondTheWindowIsReadInTwoWays(
      int held, boolean byKafka, boolean byUs, boolean inLowMemory, boolean asStored) {
    byte[] batch = reachingBehindItsWindow(held);
    assertEquals(byKafka, referee.kafka.ask(batch, Policy.CLIENT, Referee.PLACE).accepted());
    assertNotNull(referee.kafka.readAll(batch), "no consumer can read it");
    assertEquals(byUs, inspect(validator, batch, Policy.CLIENT), verdict::toString);
    assertEquals(byUs, inspect(likeKafka, batch, Policy.CLIENT), verdict::toString);
    assertEquals(inLowMemory, inspect(lowMemory, batch, Policy.CLIENT), verdict::toString);
    assertEquals(asStored, inspect(validator, batch, Policy.STORED), verdict::toString);
    for (BatchValidator each : new BatchValidator[] {validator, lowMemory, likeKafka}) {
      for (Origin origin : new Origin[] {Origin.CLIENT, Origin.STORED}) {
        assertFalse(inspect(each, batch, strict(origin)));
      }
    }
  }

  /** Returns a batch whose last record ends with three bytes from far back in the second frame. */
  private static byte[] reachingBehindItsWindow(int held) {
    int windowBytes = 1024;
    int offset = 4_000;
    byte[] second =
        new RecordBytes()
            .offsetDelta(varint(1, 1))
            .value(varint(held, 1), new byte[held])
            .toBytes();
    byte[] plain = Bytes.concat(new RecordBytes().toBytes(), second);
    int from = plain.length - held;
    plain[plain.length - 1 - offset] = 7;
    byte[] fields = Bytes.concat(ZstdFrames.window(10), Bytes.littleEndian(held));
    byte[] frame = ZstdFrames.frame(CONTENT_SIZE_OF_4_BYTES, fields);
    int at = from;
    for (; plain.length - at > windowBytes; at += windowBytes) {
      byte[] block = Arrays.copyOfRange(plain, at, at + windowBytes);
      frame = Bytes.concat(frame, ZstdFrames.raw(false, block));
    }
    byte[] literals = Arrays.copyOfRange(plain, at, plain.length - 3);
    byte[] last = ZstdFrames.reachingBack(true, literals, offset);
    byte[] before = ZstdFrames.ofWindowLog(10, Arrays.copyOf(plain, from));
    return Batches.ofPayload(Codec.ZSTD, 2, Bytes.concat(before, frame, last)).array();
  }

  private static byte[] plain(int valueBytes) {
    byte[] value = new byte[valueBytes];
    new Random(valueBytes).nextBytes(value);
    byte[] first = new RecordBytes().toBytes();
    byte[] second =
        new RecordBytes().offsetDelta(varint(1, 1)).value(varint(valueBytes, 1), value).toBytes();
    return Bytes.concat(first, second);
  }

  /** Returns a batch of three frames, of which the second one says how much it holds. */
  private static byte[] batch(byte[] plain, int from, int held, int declared, Form form) {
    byte[] fields = Bytes.concat(ZstdFrames.window(20), Bytes.littleEndian(declared));
    byte[] frame = ZstdFrames.frame(CONTENT_SIZE_OF_4_BYTES, fields);
    if (form == Form.WITH_EMPTY_COMPRESSED_BLOCK) {
      frame = Bytes.concat(frame, ZstdFrames.blockHeader(false, ZstdFrames.COMPRESSED, 0));
    }
    boolean endsEmpty = form == Form.ENDS_EMPTY;
    for (int at = from; at < from + held; at += BLOCK_BYTES) {
      int end = Math.min(at + BLOCK_BYTES, from + held);
      boolean isLast = !endsEmpty && end == from + held;
      frame = Bytes.concat(frame, ZstdFrames.raw(isLast, Arrays.copyOfRange(plain, at, end)));
    }
    byte[] end = endsEmpty ? ZstdFrames.raw(true, new byte[0]) : new byte[0];
    return around(plain, from, held, Bytes.concat(frame, end));
  }

  private static byte[] around(byte[] plain, int from, int held, byte[] middle) {
    byte[] before = ZstdFrames.ofWindowLog(20, Arrays.copyOf(plain, from));
    byte[] behind = new byte[0];
    for (int at = from + held; at < plain.length; at += BLOCK_BYTES) {
      int end = Math.min(at + BLOCK_BYTES, plain.length);
      byte[] frame = ZstdFrames.ofWindowLog(20, Arrays.copyOfRange(plain, at, end));
      behind = Bytes.concat(behind, frame);
    }
    return Batches.ofPayload(Codec.ZSTD, 2, Bytes.concat(before, middle, behind)).array();
  }
}
