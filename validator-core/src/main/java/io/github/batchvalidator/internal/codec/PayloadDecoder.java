// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Limits;
import org.jspecify.annotations.Nullable;

/** A {@link Decoder} for the payload of a batch. */
public abstract class PayloadDecoder extends Decoder {
  protected Payload payload = new Payload();

  /** The checksums to verify. */
  protected StreamChecks checks = StreamChecks.KAFKA;

  /** The result of {@link #isAmbiguous}. */
  protected boolean ambiguous;

  /** The content checksum that the stream stores. */
  protected int storedContentHash;

  /** The checksum computed from the content. */
  protected int computedContentHash;

  /** Position in the payload of the next unconsumed byte. */
  protected int next;

  protected PayloadDecoder() {}

  /**
   * Opens a payload of magic 1 or 2 with Kafka's checks. The header of the compressed stream is
   * checked here, as in the constructors of Kafka's readers.
   *
   * @param source the payload, valid until {@link #release}
   * @param limits the limits of the stream
   * @param window the window to connect; records a fault in the stream's header
   */
  public final void open(Payload source, Limits limits, ByteWindow window) {
    open(source, limits, StreamChecks.KAFKA, window);
  }

  /**
   * Opens a payload as {@link #open(Payload, Limits, ByteWindow)} does, with chosen checks.
   *
   * @param source the payload, valid until {@link #release}
   * @param limits the limits of the stream
   * @param streamChecks the checksums to verify
   * @param window the window to connect; records a fault in the stream's header
   */
  public final void open(
      Payload source, Limits limits, StreamChecks streamChecks, ByteWindow window) {
    if (payload != source) { // nearly always the same, and writing a reference costs more
      payload = source;
    }
    if (checks != streamChecks) {
      checks = streamChecks;
    }
    next = 0;
    ambiguous = false;
    storedContentHash = 0;
    computedContentHash = 0;
    window.connect(this, limits.plainBytes(), limits.ratioBytes(source.length()));
    start(limits, window);
  }

  /** {@return a sparse window over payloads of this codec, or null if the codec has none} */
  public @Nullable SparseWindow sparse() {
    return null;
  }

  /** Checks the header of the stream and prepares the first refill. */
  protected abstract void start(Limits limits, ByteWindow window);

  @Override
  public final int inputPosition() {
    return next;
  }

  /**
   * {@return the number of bytes after the end of the stream, which Kafka's reader ignores} Valid
   * once the window has reached the end.
   */
  public int bytesBehindEnd() {
    return left();
  }

  /**
   * {@return true if the stream so far has a part that readers interpret differently} Kafka's
   * reader may skip the part or end there, depending on its position. Readers in other languages
   * may skip or reject it.
   */
  public final boolean isAmbiguous() {
    return ambiguous;
  }

  /**
   * {@return the content checksum that the stream stores} It equals {@link #computedContentHash()}
   * if it is right or absent, or if Kafka also verifies it. Valid once the window has reached the
   * end, if {@link StreamChecks#verifiesContentChecksum()}.
   */
  public final int storedContentHash() {
    return storedContentHash;
  }

  /** {@return the checksum computed from the content} See {@link #storedContentHash()}. */
  public final int computedContentHash() {
    return computedContentHash;
  }

  /** {@return the number of unconsumed payload bytes} */
  protected final int left() {
    return payload.length() - next;
  }
}
