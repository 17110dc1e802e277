// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.InputStreamDecoder;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** How much of some plain bytes an iterator sees at a time, which it must not show. */
enum Portions {
  LARGE,
  SMALL,
  /**
   * From a stream that yields a few bytes at a time: every field lies across a border somewhere.
   */
  FEW;

  private static final int FEW_BYTES = 13;
  private static final Decoders FASTEST = WindowDecoders.fastest();
  private static final Decoders LOW_MEMORY = WindowDecoders.lowMemory();
  private static final InputStreamDecoder STREAM = new InputStreamDecoder();

  void open(byte[] plain, Limits limits, ByteWindow window) {
    if (this == FEW) {
      STREAM.open(slowly(plain), window, limits.plainBytes());
      return;
    }
    Decoders decoders = this == LARGE ? FASTEST : LOW_MEMORY;
    PayloadDecoder decoder = Objects.requireNonNull(decoders.get(Codec.NONE));
    Payload payload = new Payload().wrap(ByteBuffer.wrap(plain), 0, plain.length);
    decoder.open(payload, limits, window);
  }

  private static InputStream slowly(byte[] plain) {
    return new ByteArrayInputStream(plain) {
      @Override
      public synchronized int read(byte[] into, int from, int length) {
        return super.read(into, from, Math.min(length, FEW_BYTES));
      }
    };
  }
}
