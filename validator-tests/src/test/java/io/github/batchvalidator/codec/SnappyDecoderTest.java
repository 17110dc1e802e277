// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.airlift.compress.snappy.SnappyCompressor;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.withCodecMemoryBytes(1 << 16);
    for (boolean raw : new boolean[] {false, true}) {
      assertEquals(null, reason(limits, raw, 1 << 16));
      assertEquals(Reason.LIMIT_CODEC_MEMORY, reason(limits, raw, (1 << 16) + 1));
      assertEquals(null, reason(Limits.UNBOUNDED_AS_KAFKA, raw, (1 << 16) + 1));
    }
  }

  private @Nullable Reason reason(Limits limits, boolean raw, int plainBytes) {
    byte[] block = block(new byte[plainBytes]);
    byte[] stored = raw ? block : SnappyStreams.stream(SnappyStreams.chunk(block));
    try (Decoders decoders = Decoders.fastest()) {
      Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
      return Outcome.of(decoder(decoders), payload, limits).reason();
    }
  }
}
