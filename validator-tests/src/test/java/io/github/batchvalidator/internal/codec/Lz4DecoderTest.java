// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.lz4.Lz4Compressor;
import io.github.batchvalidator.internal.codec.lz4.Lz4Decoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.IndependentCodec;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Lz4Frames;
import io.github.batchvalidator.testing.streams.Plain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.BlockSize;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.Parameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Lz4DecoderTest extends DecoderContract {
  private static final int BLOCK_BYTES = 64 << 10;

  @Override
  Codec codec() {
    return Codec.LZ4;
  }

  @Override
  byte[] encode(byte[] plain) {
    byte[] frame = Lz4Frames.frame(0, Lz4Frames.MAX_64K);
    for (int at = 0; at < plain.length; at += BLOCK_BYTES) {
      byte[] piece = Arrays.copyOfRange(plain, at, Math.min(plain.length, at + BLOCK_BYTES));
      frame = Bytes.concat(frame, block(piece));
    }
    return Bytes.concat(frame, Lz4Frames.END);
  }

  private static byte[] block(byte[] plain) {
    IndependentCodec.assumeAircompressorRuns();
    Lz4Compressor compressor = new Lz4Compressor();
    byte[] target = new byte[compressor.maxCompressedLength(plain.length)];
    int bytes = compressor.compress(plain, 0, plain.length, target, 0, target.length);
    return bytes < plain.length
        ? Lz4Frames.block(Bytes.cut(target, bytes))
        : Lz4Frames.stored(plain);
  }

  private static byte[] checkedFrame(byte[] plain, Parameters parameters) throws IOException {
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    try (FramedLZ4CompressorOutputStream out =
        new FramedLZ4CompressorOutputStream(stored, parameters)) {
      out.write(plain);
    }
    return stored.toByteArray();
  }

  @Override
  int largestStretch() {
    return BLOCK_BYTES;
  }

  @Override
  List<byte[]> smallStreams() throws IOException {
    byte[] plain = Plain.JSON.bytes(120);
    return List.of(
        compress(plain),
        encode(plain),
        checkedFrame(plain, new Parameters(BlockSize.M4, true, true, false)),
        Lz4Frames.frame(
            Lz4Frames.CONTENT_SIZE | Lz4Frames.BLOCK_CHECKSUM,
            Lz4Frames.MAX_64K,
            Lz4Frames.checked(Lz4Frames.compressed(plain)),
            Lz4Frames.checked(Lz4Frames.stored(Plain.RANDOM.bytes(9))),
            Lz4Frames.END));
  }

  /** Bytes after the end mark are never read, not even another block. */
  @Test
  void theEndMarkIsTheEnd() {
    byte[] frame = Lz4Frames.frame(0, Lz4Frames.MAX_64K, Lz4Frames.END);
    byte[] stored = Bytes.concat(frame, Lz4Frames.stored(new byte[9]), Lz4Frames.END);
    try (Decoders decoders = WindowDecoders.fastest()) {
      PayloadDecoder decoder = decoder(decoders);
      ByteWindow window = new ByteWindow();
      Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
      decoder.open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
      assertFalse(decoder.refill(window));
      assertFalse(decoder.refill(window));
      assertEquals(frame.length, decoder.inputPosition());
      assertEquals(stored.length - frame.length, decoder.bytesBehindEnd());
    }
  }

  @Test
  void refusesBlocksAboveTheMemoryLimit() {
    byte[] block = Lz4Frames.compressed(Plain.JSON.bytes(1000));
    for (int id = Lz4Frames.MAX_64K; id < 8; id++) {
      byte[] stored = Lz4Frames.frame(0, id, block, Lz4Frames.END);
      int blockBytes = 1 << (2 * id + 8);
      assertNull(reason(blockBytes, stored));
      assertNull(reason(Limits.UNBOUNDED_AS_KAFKA.codecMemoryBytes(), stored));
      if (id > Lz4Frames.MAX_64K) {
        assertEquals(Reason.LIMIT_CODEC_MEMORY, reason(blockBytes - 1, stored));
      }
    }
  }

  private @Nullable Reason reason(int memoryLimit, byte[] stored) {
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.CODEC_MEMORY_BYTES, memoryLimit);
    try (Decoders decoders = WindowDecoders.fastest()) {
      Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
      return Outcome.of(decoder(decoders), payload, limits).reason();
    }
  }

  /** Only the bytes that are looked at are copied from stored blocks, unless a hash needs all. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void storedBlocksOffTheHeapAreReadWhereTheyLie(boolean isHashed) {
    byte[] plain = Plain.RANDOM.bytes(BLOCK_BYTES);
    byte[] stored = Lz4Frames.stored(plain);
    byte[] block = isHashed ? Lz4Frames.checked(stored) : stored;
    int flags = isHashed ? Lz4Frames.BLOCK_CHECKSUM : 0;
    byte[] frame = Lz4Frames.frame(flags, Lz4Frames.MAX_64K, block, block, Lz4Frames.END);
    ByteBuffer direct = ByteBuffer.allocateDirect(frame.length).put(0, frame);
    ByteWindow window = new ByteWindow();
    try (Lz4Decoder decoder = new Lz4Decoder(Integer.MAX_VALUE)) {
      decoder.open(new Payload().wrap(direct, 0, frame.length), Limits.UNBOUNDED_AS_KAFKA, window);
      window.skim();
      for (int at : new int[] {0, 40_000, 65_000, BLOCK_BYTES + 30_000}) {
        window.skip(at - (int) window.plainPosition());
        assertTrue(window.refill());
        assertEquals(plain[at % BLOCK_BYTES], window.array()[window.position()]);
        assertEquals(isHashed, window.available() > 256, window.available() + " bytes");
        window.skip(1);
      }
      window.skip(2 * BLOCK_BYTES - (int) window.plainPosition());
      assertFalse(window.refill());
      assertNull(window.failure());
      assertEquals(0, decoder.bytesBehindEnd());
    }
  }
}
