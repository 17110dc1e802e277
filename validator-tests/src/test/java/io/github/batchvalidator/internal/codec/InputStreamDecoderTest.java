// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Plain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class InputStreamDecoderTest {
  private final InputStreamDecoder decoder = new InputStreamDecoder();
  private final ByteWindow window = new ByteWindow();

  private Outcome decode(InputStream stream, long plainBytesLimit) {
    decoder.open(stream, window, plainBytesLimit);
    Outcome outcome = Outcome.drain(window);
    decoder.release();
    return outcome;
  }

  private Outcome decode(InputStream stream) {
    return decode(stream, Long.MAX_VALUE);
  }

  private static InputStream kafkaStream(Codec codec, byte[] stored) {
    return Batches.compression(codec)
        .wrapForInput(
            ByteBuffer.wrap(stored), RecordBatch.MAGIC_VALUE_V2, BufferSupplier.NO_CACHING);
  }

  @ParameterizedTest
  @EnumSource
  void readsKafkasStreams(Codec codec) throws IOException {
    for (int size : new int[] {0, 1, 2047, 2048, 2049, 16_384, 70_000, 1 << 20}) {
      for (Plain kind : Plain.values()) {
        byte[] plain = kind.bytes(size);
        try (InputStream stream = kafkaStream(codec, Batches.compress(codec, plain))) {
          Outcome outcome = decode(stream);
          assertNull(outcome.fault());
          assertArrayEquals(plain, outcome.plain());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void survivesDamagedStreams(Codec codec) throws IOException {
    Random random = new Random(5);
    byte[] plain = Plain.RANDOM.bytes(10_000);
    byte[] stored = Batches.compress(codec, plain);
    for (int round = 0; round < 300; round++) {
      // after the headers, which Kafka reads when it opens a stream
      byte[] bad = Bytes.damaged(stored, 20 + random.nextInt(stored.length - 20));
      Outcome kafka = Outcome.ofKafka(codec, bad);
      try (InputStream stream = kafkaStream(codec, bad)) {
        Outcome outcome = decode(stream);
        assertTrue(outcome.agreesWith(kafka), () -> outcome + " and " + kafka);
        assertEquals(kafka.isClean() ? null : Reason.CODEC_DATA_CORRUPT, outcome.reason());
      }
    }
    assertArrayEquals(plain, decode(kafkaStream(codec, stored)).plain());
  }

  /** A stream that supplies three bytes and then throws. */
  private static final class Failing extends InputStream {
    private final Throwable fault;

    Failing(Throwable fault) {
      this.fault = fault;
    }

    private int left = 3;

    @Override
    public int read() throws IOException {
      if (left-- > 0) {
        return 'x';
      }
      if (fault instanceof IOException e) {
        throw e;
      }
      if (fault instanceof RuntimeException e) {
        throw e;
      }
      throw (Error) fault;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      target[from] = (byte) read();
      return 1;
    }
  }

  static List<Throwable> faults() {
    return List.of(
        new IOException("io"), new IllegalStateException("runtime"), new StackOverflowError("e"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void anyExceptionOfTheStreamIsAFault(Throwable fault) {
    Outcome outcome = decode(new Failing(fault));
    boolean lacksMemory = fault instanceof VirtualMachineError;
    assertEquals(
        lacksMemory ? Reason.CODEC_OUT_OF_MEMORY : Reason.CODEC_DATA_CORRUPT, outcome.reason());
    assertArrayEquals(Bytes.filled(3, 'x'), outcome.plain());
    assertArrayEquals(Bytes.of(1, 2), decode(new ByteArrayInputStream(Bytes.of(1, 2))).plain());
  }

  /** Answers 0 to every read of an array, which a stream may not and some do. */
  @Test
  void goesOnWhenAStreamReadsNothing() {
    byte[] plain = Plain.RANDOM.bytes(500);
    InputStream reluctant =
        new ByteArrayInputStream(plain) {
          @Override
          public synchronized int read(byte[] target, int from, int length) {
            return 0;
          }
        };
    Outcome outcome = decode(reluctant);
    assertNull(outcome.fault());
    assertArrayEquals(plain, outcome.plain());
  }

  @Test
  void stopsAtTheLimitOfPlainBytes() {
    byte[] plain = new byte[10_000];
    assertTrue(decode(new ByteArrayInputStream(plain), 10_000).isClean());
    Outcome outcome = decode(new ByteArrayInputStream(plain), 5000);
    assertEquals(Reason.LIMIT_PLAIN_BYTES, outcome.reason());
    assertEquals(5000, outcome.plain().length);
    assertEquals(5001, window.fault().first());
  }

  @Test
  void releasedItHasNoStream() {
    decoder.open(new ByteArrayInputStream(new byte[9]), window, 9);
    decoder.release();
    assertFalse(window.refill());
    assertEquals(SkipBuffer.FIXED_BYTES, decoder.heapBytes());
    assertEquals(0, decoder.nativeBytes());
    decoder.close();
  }

  /** A buffer of 2 KB cannot hold more, whatever the stream says. */
  @Test
  void aCountBeyondTheBufferIsAFault() {
    InputStream lying =
        new ByteArrayInputStream(new byte[1]) {
          @Override
          public synchronized int read(byte[] target, int from, int bytes) {
            return bytes + 1;
          }
        };
    assertEquals(Reason.CODEC_DATA_CORRUPT, decode(lying).reason());
  }
}
