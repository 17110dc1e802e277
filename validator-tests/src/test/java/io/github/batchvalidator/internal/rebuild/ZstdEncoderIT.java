// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.batchvalidator.ZstdForeignCalls;
import io.github.batchvalidator.internal.codec.zstd.ZstdCompressor;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.ProcessMemory;
import io.github.batchvalidator.testing.streams.Plain;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZstdEncoderIT extends EncoderContract {
  private static final int ABANDONED = 200;

  /** The least memory of a context that streams at level 3. */
  private static final long TABLES_KIB = 1024;

  @Override
  Codec codec() {
    return Codec.ZSTD;
  }

  @Override
  int heapKib() {
    return 0;
  }

  @Override
  int nativeKib() {
    return 513;
  }

  @Override
  List<Integer> levels() {
    return List.of(-131_072, -7, -1, 1, 2, 4, 5, 8, 9, 13, 19, 20, 22);
  }

  @Override
  boolean writesWhatKafkaWrites() {
    return false;
  }

  @Override
  long allowedBytes() {
    return ZstdForeignCalls.inUse() ? 0 : ZstdForeignCalls.BYTES_PER_CONTEXT;
  }

  /** Readers need the memory for the window that the frame declares; Kafka's may be 128 MiB. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, ZstdEncoder.ONE_CALL_BYTES, ZstdEncoder.ONE_CALL_BYTES + 1})
  void asksReadersForNoLargerWindowThanKafkaDoes(int size) {
    byte[] plain = Plain.ZEROS.bytes(size);
    for (int level : levels()) {
      byte[] kafkas =
          Batches.compress(Batches.compression(Codec.ZSTD, level), (byte) 2, new byte[1]);
      byte[] stored = encode(level, plain);
      assertTrue(windowBytes(stored) <= windowBytes(kafkas), () -> "level " + level);
      assertEquals(size <= ZstdEncoder.ONE_CALL_BYTES, isSingle(stored), () -> "level " + level);
    }
  }

  /** Kafka's own frames of the highest levels ask for more than a small consumer may have. */
  @Test
  void asksForNoMoreThanEightMebibytesAtAnyLevel() {
    for (int level : levels()) {
      long window = windowBytes(encode(level, Plain.ZEROS.bytes(ZstdEncoder.ONE_CALL_BYTES + 1)));
      assertTrue(window <= 8 << 20, () -> "level " + level + " asks for " + window);
    }
  }

  /** The library chooses its tables by the declared size, and some are worse for this text. */
  @ParameterizedTest
  @ValueSource(ints = {16, 100, 128, 129, 160, 200, 256, 257})
  void compressesAsWellAsKafkaAtItsDefaultLevel(int kib) {
    byte[] plain = ids(kib * 1024);
    int level = Codec.ZSTD.defaultLevel();
    int kafkas = Batches.compress(Batches.compression(Codec.ZSTD, level), (byte) 2, plain).length;
    int ours = encode(level, plain).length;
    assertTrue(ours <= kafkas * 1.01, () -> ours + " bytes, Kafka " + kafkas);
  }

  /** Text in which short matches abound that are worth little. */
  private static byte[] ids(int length) {
    Random random = new Random(length);
    StringBuilder text = new StringBuilder(length + 64);
    while (text.length() < length) {
      text.append("{\"id\":\"").append(Long.toHexString(random.nextLong())).append("\"}\n");
    }
    return Arrays.copyOf(text.toString().getBytes(StandardCharsets.US_ASCII), length);
  }

  private static boolean isSingle(byte[] frame) {
    return (frame[4] & 0x20) != 0;
  }

  /** A single-segment frame declares no window. It needs one of the size of its content. */
  private static long windowBytes(byte[] frame) {
    return isSingle(frame) ? ZstdEncoder.ONE_CALL_BYTES : 1L << (10 + ((frame[5] & 0xFF) >> 3));
  }

  /** A context has no finalizer, so only the encoder frees its native memory. */
  @Test
  void closesTheContextOfEachBatch() throws ReflectiveOperationException {
    assertTrue(compressor().isOpen(), "opened to notice a missing library");
    for (int i = 0; i < 2; i++) {
      encoder().open(output(), 3, 2);
      encoder().open(output(), 3, 2);
      assertTrue(compressor().isOpen());
      encoder().release();
      assertFalse(compressor().isOpen());
    }
    encoder().open(output(), 3, 2);
    encoder().close();
    assertFalse(compressor().isOpen());
  }

  private ZstdCompressor compressor() throws ReflectiveOperationException {
    Field field = ZstdEncoder.class.getDeclaredField("compressor");
    field.setAccessible(true);
    return (ZstdCompressor) Objects.requireNonNull(field.get(encoder()));
  }

  /** An encoder that is opened again and again must not hold what it had before. */
  @Test
  void contextsThatAreAbandonedAreFreed() {
    abandon();
    long before = ProcessMemory.nowKib();
    assumeTrue(before != ProcessMemory.UNKNOWN);
    abandon();
    long grown = ProcessMemory.nowKib() - before;
    assertTrue(grown < ABANDONED * TABLES_KIB / 2, () -> grown + " KiB");
  }

  private void abandon() {
    byte[] plain = Plain.ZEROS.bytes(ZstdEncoder.ONE_CALL_BYTES + 1);
    for (int i = 0; i < ABANDONED; i++) {
      output().start(1 << 20);
      encoder().open(output(), 3, 2);
      encoder().write(plain, 0, plain.length);
    }
  }

  private byte[] encode(int level, byte[] plain) {
    output().start(1 << 20);
    encoder().open(output(), level, 2);
    encoder().write(plain, 0, plain.length);
    assertTrue(encoder().finish());
    byte[] stored = Written.to(output());
    encoder().release();
    return stored;
  }
}
