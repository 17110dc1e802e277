// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.payload;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the payloads of batches: finds the decoder of the codec, opens the stream and
 * releases everything afterwards.
 *
 * <p>Every {@link #open} needs a {@link #release}, also after a fault. Never allocates once every
 * codec was used. Confined to one thread.
 */
public final class PayloadReader implements AutoCloseable {
  private final Decoders decoders;
  private final Payload payload = new Payload();
  private final ByteWindow window = new ByteWindow();
  private @Nullable PayloadDecoder decoder;

  /**
   * Creates a reader.
   *
   * @param decoders belong to the reader from now on
   */
  public PayloadReader(Decoders decoders) {
    this.decoders = decoders;
  }

  /**
   * Selects the payload to open.
   *
   * @param buffer holds the payload; valid until {@link #release}
   * @param from the index in the buffer of the first byte
   * @param bytes the length of the payload; all of it is within the buffer's limit
   * @return this reader
   */
  public PayloadReader select(ByteBuffer buffer, int from, int bytes) {
    payload.wrap(buffer, from, bytes);
    return this;
  }

  /**
   * Opens the selected payload. A fault of the stream's header is a fault of the {@link #window()}.
   *
   * @param codec the codec of the payload
   * @param limits what the stream may cost
   * @param checks the checksums to verify
   * @param verdict takes the refusal if the codec's library or memory is missing
   * @return false if it is
   */
  public boolean open(Codec codec, Limits limits, StreamChecks checks, MutableVerdict verdict) {
    PayloadDecoder found = decoders.get(codec);
    if (decoder != found) { // a reference costs more to write than to compare
      decoder = found;
    }
    if (found == null) {
      return verdict.refuse(decoders.missing(codec), 0);
    }
    found.open(payload, limits, checks, window);
    return true;
  }

  /** {@return the plain bytes of the payload that was opened last} */
  public ByteWindow window() {
    return window;
  }

  /** {@return the decoder of the payload that is open} */
  public PayloadDecoder decoder() {
    return Objects.requireNonNull(decoder);
  }

  /** {@return the length of the payload that is open, in bytes before decompression} */
  public int length() {
    return payload.length();
  }

  /** Releases the buffer and scratch memory that only the last payload needed. */
  public void release() {
    PayloadDecoder opened = decoder;
    if (opened != null) {
      opened.release();
    }
    payload.clear();
    window.clear();
  }

  /**
   * {@return why a codec is unavailable, or null}
   *
   * @param codec the codec
   */
  public @Nullable Throwable unavailableCause(Codec codec) {
    return decoders.unavailableCause(codec);
  }

  /** {@return the heap bytes that are held between batches} */
  public long heapBytes() {
    return decoders.heapBytes();
  }

  /** {@return the off-heap bytes that are held between batches, as far as they are known} */
  public long nativeBytes() {
    return decoders.nativeBytes();
  }

  /** Frees the codec contexts. Closing twice is harmless. */
  @Override
  public void close() {
    decoders.close();
    decoder = null;
    window.disconnect();
  }
}
