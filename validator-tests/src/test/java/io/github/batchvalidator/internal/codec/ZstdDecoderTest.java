// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.zstd.ZstdOutputStream;
import io.github.batchvalidator.internal.codec.zstd.ZstdDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.IndependentCodec;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Plain;
import io.github.batchvalidator.testing.streams.ZstdFrames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ZstdDecoderTest extends DecoderContract {
  @Override
  Codec codec() {
    return Codec.ZSTD;
  }

  @Override
  byte[] encode(byte[] plain) throws IOException {
    IndependentCodec.assumeAircompressorRuns();
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(stored)) {
      out.write(plain);
    }
    return stored.toByteArray();
  }

  @Override
  int largestStretch() {
    return ZstdDecoder.ONE_CALL_BYTES;
  }

  @Override
  List<byte[]> smallStreams() throws IOException {
    byte[] plain = Plain.JSON.bytes(120);
    byte[] first = compress(plain);
    return List.of(
        first,
        encode(plain),
        Bytes.concat(first, ZstdFrames.skippable(5), compress(Plain.RANDOM.bytes(9))));
  }

  /** In a stream of large values, only the bytes around their ends are copied. */
  @Test
  void largeValuesAreLeftUncopied() throws IOException {
    int valueBytes = 10_000;
    byte[] plain = Plain.JSON.bytes(2 * ZstdDecoder.ONE_CALL_BYTES);
    byte[] stored = encode(plain);
    ByteWindow window = new ByteWindow();
    try (Decoders decoders = WindowDecoders.fastest()) {
      PayloadDecoder decoder = Objects.requireNonNull(decoders.get(Codec.ZSTD));
      Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
      decoder.open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
      for (int at = 0; at + valueBytes < plain.length; at += valueBytes) {
        assertTrue(window.refill());
        assertEquals(at, window.plainPosition());
        assertEquals(plain[at], window.array()[window.position()]);
        assertTrue(window.available() < valueBytes / 2, window.available() + " copied at " + at);
        window.skip(valueBytes);
      }
    }
    assertNull(window.failure());
  }

  @Override
  boolean isKnownDifference(byte[] stored) {
    return ZstdFrames.kafkaRefusesCutTails() && reason(Limits.UNBOUNDED_AS_KAFKA, stored) == null;
  }

  private @Nullable Reason reason(Limits limits, byte[] stored) {
    try (Decoders decoders = WindowDecoders.fastest()) {
      Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
      return Outcome.of(decoder(decoders), payload, limits).reason();
    }
  }

  @Test
  void refusesWindowsAboveTheMemoryLimit() {
    byte[] plain = Plain.JSON.bytes(1000);
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.CODEC_MEMORY_BYTES, 1 << 20);
    assertEquals(null, reason(limits, ZstdFrames.ofWindowLog(20, plain)));
    byte[] large = ZstdFrames.ofWindowLog(21, plain);
    assertEquals(Reason.LIMIT_CODEC_MEMORY, reason(limits, large));
    assertEquals(null, reason(Limits.UNBOUNDED_AS_KAFKA, large));
    byte[] second = Bytes.concat(ZstdFrames.ofWindowLog(20, plain), large);
    assertEquals(Reason.LIMIT_CODEC_MEMORY, reason(limits, second));
  }

  /** Only a stream has the library set a window up, so the decoder is one that always streams. */
  @Test
  void dropsAContextThatHeldALargeWindow() {
    try (Decoders decoders = WindowDecoders.lowMemory()) {
      byte[] plain = Plain.JSON.bytes(1000);
      PayloadDecoder decoder = decoder(decoders);
      assertTrue(Outcome.of(decoder, ZstdFrames.ofWindowLog(20, plain)).isClean());
      assertTrue(decoder.nativeBytes() >= 1 << 20);
      assertTrue(Outcome.of(decoder, ZstdFrames.ofWindowLog(27, plain)).isClean());
      assertTrue(decoder.nativeBytes() < 1 << 20, () -> "holds " + decoder.nativeBytes());
      assertTrue(Outcome.of(decoder, ZstdFrames.ofWindowLog(20, plain)).isClean());
    }
  }
}
