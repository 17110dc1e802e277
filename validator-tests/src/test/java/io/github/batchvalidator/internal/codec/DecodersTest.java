// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.streams.Plain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecodersTest {
  @ParameterizedTest
  @EnumSource
  void oneDecoderPerCodec(Codec codec) {
    try (Decoders decoders = WindowDecoders.fastest()) {
      assertNull(decoders.unavailableCause(codec));
      PayloadDecoder decoder = DecoderContract.decoder(decoders, codec);
      assertSame(decoder, decoders.get(codec));
      assertNull(decoders.unavailableCause(codec));
    }
  }

  @Test
  void statesTheMemoryOfAllOfThem() {
    try (Decoders decoders = WindowDecoders.lowMemory()) {
      assertEquals(0, decoders.heapBytes());
      assertEquals(0, decoders.nativeBytes());
      long heap = 0;
      long outside = 0;
      for (Codec codec : Codec.values()) {
        PayloadDecoder decoder = DecoderContract.decoder(decoders, codec);
        byte[] stored = Batches.compress(codec, Plain.JSON.bytes(5000));
        assertTrue(Outcome.of(decoder, stored).isClean());
        heap += decoder.heapBytes();
        outside += decoder.nativeBytes();
      }
      assertEquals(heap, decoders.heapBytes());
      assertEquals(outside, decoders.nativeBytes());
      assertTrue(heap > 0 && outside > 0);
    }
  }

  @Test
  void closingTwiceIsFine() {
    Decoders decoders = WindowDecoders.fastest();
    for (Codec codec : Codec.values()) {
      DecoderContract.decoder(decoders, codec);
    }
    decoders.close();
    decoders.close();
    assertEquals(0, decoders.heapBytes());
    assertEquals(0, decoders.nativeBytes());
  }
}
