// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.payload;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Lease;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.codec.SparseWindow;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reader of batch payloads. It finds the decoder of the codec, opens the stream and releases
 * everything afterwards.
 *
 * <p>Every {@link #open} needs a {@link #release}, also after a fault and after an exception. Never
 * allocates after the first use of each codec. Confined to one thread, except for {@link #close}.
 */
public final class PayloadReader implements AutoCloseable {
  private final Decoders decoders;
  private final Payload payload = new Payload();
  private final ByteWindow window = new ByteWindow();
  private final Lease lease = new Lease();
  private boolean isTaken;
  private boolean isOpen;
  private @Nullable PayloadDecoder decoder;

  /**
   * Creates a reader.
   *
   * @param decoders the decoders; the reader owns and closes them
   */
  public PayloadReader(Decoders decoders) {
    this.decoders = decoders;
  }

  /**
   * Selects the payload to open.
   *
   * @param buffer the buffer with the payload; valid until {@link #release}
   * @param from index of the payload's first byte
   * @param bytes the length of the payload; all of it is within the buffer's limit
   * @return this reader
   */
  public PayloadReader select(ByteBuffer buffer, int from, int bytes) {
    payload.wrap(buffer, from, bytes);
    return this;
  }

  /**
   * Opens the selected payload. A fault in the stream's header is reported by {@link #window()}.
   *
   * @param codec the codec of the payload
   * @param limits the limits of the stream
   * @param checks the checksums to verify
   * @param verdict the verdict to reject if the codec's library or memory is missing
   * @return false if the verdict was rejected
   * @throws IllegalStateException if the codec needs native memory, and this reader is closed or
   *     another thread is using it
   */
  public boolean open(Codec codec, Limits limits, StreamChecks checks, MutableVerdict verdict) {
    if (codec != Codec.NONE) { // its decoder has no native memory
      take();
    }
    PayloadDecoder found = decoders.get(codec);
    if (decoder != found) { // writing a reference costs more than comparing it
      decoder = found;
    }
    if (found == null) {
      release();
      Fault missing = decoders.missing(codec);
      Reason why = Objects.requireNonNull(missing.reason());
      return verdict.refuse(why, 0, missing.first(), missing.second(), missing.cause());
    }
    isOpen = true;
    found.open(payload, limits, checks, window);
    return true;
  }

  /**
   * Opens uncompressed bytes that lie in an accessible array, without a decoder: the window is the
   * array. A decoder would add an eighth to the inspection of a batch of one record.
   *
   * @param buffer the buffer with the bytes; valid until {@link #release}
   * @param from index of the first byte
   * @param bytes the number of bytes
   * @param limits the limits of the stream
   * @return false, without effect, if there is no such array
   * @throws IndexOutOfBoundsException if not all bytes are within the buffer's limit, because a
   *     length in the buffer has changed since it was checked
   */
  public boolean hold(ByteBuffer buffer, int from, int bytes, Limits limits) {
    if (!buffer.hasArray()) {
      return false;
    }
    Objects.checkFromIndexSize(from, bytes, buffer.limit());
    window.wrap(buffer.array(), buffer.arrayOffset() + from, bytes, limits.plainBytes());
    return true;
  }

  private void take() {
    if (!lease.take()) {
      throw new IllegalStateException("closed, or in use by another thread");
    }
    isTaken = true;
  }

  /**
   * {@return the last opened payload as a sparse window, or null if that is not worthwhile} Reading
   * it does not move {@link #window()}.
   *
   * @param records the number of records that the batch declares
   * @param limits the limits of the stream
   */
  public @Nullable SparseWindow sparse(int records, Limits limits) {
    if (!isOpen) {
      return null;
    }
    SparseWindow sparse = Objects.requireNonNull(decoder).sparse();
    return sparse != null && sparse.open(payload, records, limits) ? sparse : null;
  }

  /** {@return the plain bytes of the last opened payload} */
  public ByteWindow window() {
    return window;
  }

  /** {@return the decoder of the open payload, or null if its bytes are plain and need none} */
  public @Nullable PayloadDecoder decoder() {
    return isOpen ? decoder : null;
  }

  /** {@return the length of the open payload before decompression, in bytes} */
  public int length() {
    return payload.length();
  }

  /**
   * Releases the buffer and the scratch memory that only the last payload needed. Does nothing if
   * no payload is open.
   */
  public void release() {
    try {
      if (isOpen) {
        isOpen = false;
        Objects.requireNonNull(decoder).release();
      }
      payload.clear();
      window.clear();
    } finally {
      if (isTaken) {
        isTaken = false;
        lease.give();
      }
    }
  }

  /**
   * {@return the exception that made a codec unavailable, or null}
   *
   * @param codec the codec
   */
  public @Nullable Throwable unavailableCause(Codec codec) {
    return decoders.unavailableCause(codec);
  }

  /** {@return the heap bytes held between batches} */
  public long heapBytes() {
    return decoders.heapBytes();
  }

  /** {@return the known off-heap bytes held between batches} */
  public long nativeBytes() {
    return decoders.nativeBytes();
  }

  /**
   * Frees the codec contexts. Waits for a compressed batch that another thread is reading. An
   * uncompressed batch may go on, so nothing but the decoders is touched. Closing twice is
   * harmless.
   */
  @Override
  public void close() {
    if (lease.close()) {
      decoders.close();
    }
  }
}
