// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Plain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plain payloads, as they lie in an array, and copied piece by piece where they do not. */
class StoredDecoderTest extends DecoderContract {
  @Override
  Codec codec() {
    return Codec.NONE;
  }

  @Override
  byte[] encode(byte[] plain) {
    return plain.clone();
  }

  /** Over an array there is but one stretch; the limit is tested over a direct buffer. */
  @Override
  int largestStretch() {
    return StoredDecoder.WINDOW_BYTES;
  }

  @Override
  List<byte[]> smallStreams() {
    return List.of(Plain.JSON.bytes(100));
  }

  private static final byte[] PLAIN = Plain.RANDOM.bytes(100_000);

  private final PayloadDecoder decoder = new StoredDecoder(Integer.MAX_VALUE);
  private final ByteWindow window = new ByteWindow();

  private void openDirect(long mostPlainBytes) {
    ByteBuffer direct = ByteBuffer.allocateDirect(PLAIN.length).put(0, PLAIN);
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.PLAIN_BYTES, mostPlainBytes);
    decoder.open(new Payload().wrap(direct, 0, PLAIN.length), limits, window);
  }

  /** A long skip copies nothing of what it skips, and only a few of the bytes after it. */
  @Test
  void largeValuesOfDirectMemoryAreSkipped() {
    openDirect(Long.MAX_VALUE);
    int at = 0;
    for (int skip : new int[] {3, 30_000, 2_000, 9_000, 50_000, 400}) {
      window.skip(skip);
      at += skip;
      assertTrue(window.refill());
      assertEquals(PLAIN[at++], window.readByte());
      assertEquals(at, window.plainPosition());
      assertTrue(skip < 9_000 || window.available() < 256, window.available() + " bytes");
    }
    window.skip(PLAIN.length - at);
    assertEquals(PLAIN.length, window.plainPosition());
    assertFalse(window.refill());
    assertNull(window.failure());
    window.skip(5_000);
    assertEquals(Reason.RECORD_TRUNCATED, window.failure());
  }

  @Test
  void skippedBytesAreLimited() {
    openDirect(40_000);
    window.skip(39_000);
    assertTrue(window.refill());
    window.skip(5_000);
    assertFalse(window.refill());
    assertEquals(Reason.LIMIT_PLAIN_BYTES, window.failure());
    assertEquals(40_000, window.plainPosition());
  }

  @Test
  void bytesSkippedToTheEndAreLimited() {
    openDirect(40_000);
    window.skip(PLAIN.length);
    assertEquals(Reason.LIMIT_PLAIN_BYTES, window.failure());
    assertEquals(40_001, window.fault().first());
  }

  /** Small records are copied by more and more, so that few of them end with a piece. */
  @Test
  void piecesOfDirectMemoryGrow() {
    openDirect(Long.MAX_VALUE);
    List<Integer> pieces = new ArrayList<>();
    while (window.refill()) {
      pieces.add(window.available());
      window.skip(window.available());
    }
    assertEquals(List.of(256, 1024, 4096, 16_384), pieces.subList(0, 4));
    assertEquals(StoredDecoder.WINDOW_BYTES, pieces.get(5));
  }
}
