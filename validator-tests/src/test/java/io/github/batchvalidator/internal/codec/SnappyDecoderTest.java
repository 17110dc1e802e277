// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.snappy.SnappyCompressor;
import io.github.batchvalidator.internal.codec.snappy.SnappyDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.IndependentCodec;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Plain;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.utils.ByteUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

class SnappyDecoderTest extends DecoderContract {
  private static final int CHUNK_BYTES = 32 * 1024;

  @Override
  Codec codec() {
    return Codec.SNAPPY;
  }

  @Override
  byte[] encode(byte[] plain) {
    byte[] stream = SnappyStreams.HEADER;
    for (int at = 0; at < plain.length; at += CHUNK_BYTES) {
      byte[] piece = Arrays.copyOfRange(plain, at, Math.min(plain.length, at + CHUNK_BYTES));
      stream = Bytes.concat(stream, SnappyStreams.chunk(block(piece)));
    }
    return stream;
  }

  private static byte[] block(byte[] plain) {
    IndependentCodec.assumeAircompressorRuns();
    SnappyCompressor compressor = new SnappyCompressor();
    byte[] target = new byte[compressor.maxCompressedLength(plain.length)];
    int bytes = compressor.compress(plain, 0, plain.length, target, 0, target.length);
    return Bytes.cut(target, bytes);
  }

  @Override
  int largestStretch() {
    return CHUNK_BYTES;
  }

  @Override
  List<byte[]> smallStreams() {
    byte[] plain = Plain.JSON.bytes(120);
    return List.of(
        compress(plain),
        block(plain),
        Bytes.concat(compress(plain), compress(Plain.RANDOM.bytes(9)), SnappyStreams.HEADER));
  }

  @Test
  void refusesBlocksAboveTheMemoryLimit() {
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.CODEC_MEMORY_BYTES, 1 << 16);
    for (boolean raw : new boolean[] {false, true}) {
      assertEquals(null, reason(limits, raw, 1 << 16));
      assertEquals(Reason.LIMIT_CODEC_MEMORY, reason(limits, raw, (1 << 16) + 1));
      assertEquals(null, reason(Limits.UNBOUNDED_AS_KAFKA, raw, (1 << 16) + 1));
    }
  }

  private @Nullable Reason reason(Limits limits, boolean raw, int plainBytes) {
    byte[] block = block(new byte[plainBytes]);
    byte[] stored = raw ? block : SnappyStreams.stream(SnappyStreams.chunk(block));
    try (Decoders decoders = WindowDecoders.fastest()) {
      return Outcome.of(decoder(decoders), payload(ByteBuffer.wrap(stored)), limits).reason();
    }
  }

  private static Payload payload(ByteBuffer stored) {
    return new Payload().wrap(stored, 0, stored.limit());
  }

  /** Off the heap a block is copied as it is stored: that takes memory, too. */
  @Test
  void refusesStoredBytesAboveTheMemoryLimit() {
    int limit = 1 << 16;
    int most = Snappy.maxCompressedLength(limit);
    assertEquals(Reason.CODEC_HEADER_INVALID, padded(limit, most));
    assertEquals(Reason.LIMIT_CODEC_MEMORY, padded(limit, most + 3));
    assertEquals(Reason.LIMIT_CODEC_MEMORY, padded(limit, 1 << 24));
  }

  private @Nullable Reason padded(int limit, int storedBytes) {
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.CODEC_MEMORY_BYTES, limit);
    ByteBuffer stored = ByteBuffer.allocate(storedBytes).put(0, (byte) 5);
    try (Decoders decoders = WindowDecoders.fastest()) {
      PayloadDecoder decoder = decoder(decoders);
      Reason onHeap = Outcome.of(decoder, payload(stored), limits).reason();
      assertEquals(onHeap, Outcome.of(decoder, payload(Batches.direct(stored)), limits).reason());
      assertTrue(decoder.heapBytes() <= 2L * limit, () -> decoder.heapBytes() + " bytes");
      return onHeap;
    }
  }

  @Test
  void unsignedVarints() {
    Random random = new Random(3);
    for (int round = 0; round < 20_000; round++) {
      int value = random.nextInt() >>> random.nextInt(32);
      ByteBuffer bytes = ByteBuffer.allocate(12).position(2);
      ByteUtils.writeUnsignedVarint(value, bytes);
      int end = bytes.position();
      assertEquals(value & 0xFFFFFFFFL, SnappyDecoder.unsignedVarint(bytes.array(), 2, end));
      assertEquals(value & 0xFFFFFFFFL, SnappyDecoder.unsignedVarint(bytes.array(), 2, 12));
      assertEquals(-1, SnappyDecoder.unsignedVarint(bytes.array(), 2, end - 1));
    }
    assertEquals(-1, unsigned(0x80, 0x80, 0x80, 0x80, 0x10));
    assertEquals(-1, unsigned(0x80, 0x80, 0x80, 0x80, 0x80, 0x00));
    assertEquals(1, unsigned(0x81, 0x80, 0x80, 0x80, 0x00));
    assertEquals(-1, unsigned());
  }

  private static long unsigned(int... bytes) {
    return SnappyDecoder.unsignedVarint(Bytes.of(bytes), 0, bytes.length);
  }
}
