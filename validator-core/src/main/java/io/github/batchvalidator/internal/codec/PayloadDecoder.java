// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Limits;

/** A {@link Decoder} over the payload of a batch. */
public abstract class PayloadDecoder extends Decoder {
  /** The batch's payload. */
  protected Payload payload = new Payload();

  /** The checksums to verify. */
  protected StreamChecks checks = StreamChecks.KAFKA;

  /** Set by a decoder that met what {@link #isAmbiguous} tells. */
  protected boolean ambiguous;

  /** The checksum of the content that the stream holds, and the one that its content has. */
  protected int storedContentHash;

  protected int computedContentHash;

  /** Position in the payload of the next byte that was not consumed. */
  protected int next;

  protected PayloadDecoder() {}

  /**
   * Starts a payload of magic 1 or 2 with the checks that Kafka makes. The header of the compressed
   * stream is checked here, as Kafka's readers do when they are constructed.
   *
   * @param source the bytes behind the batch header, valid until {@link #release}
   * @param limits what the stream may cost
   * @param window gets connected; a fault of the stream's header is its {@link
   *     ByteWindow#failure()}
   */
  public final void open(Payload source, Limits limits, ByteWindow window) {
    open(source, limits, StreamChecks.KAFKA, window);
  }

  /**
   * Starts a payload as {@link #open(Payload, Limits, ByteWindow)} does, with chosen checks.
   *
   * @param source the bytes behind the batch header, valid until {@link #release}
   * @param limits what the stream may cost
   * @param streamChecks the checksums to verify
   * @param window gets connected; a fault of the stream's header is its {@link
   *     ByteWindow#failure()}
   */
  public final void open(
      Payload source, Limits limits, StreamChecks streamChecks, ByteWindow window) {
    if (payload != source) { // nearly always the same, and a reference costs more to write
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

  /** Checks the header of the stream and gets ready for the first refill. */
  protected abstract void start(Limits limits, ByteWindow window);

  @Override
  public final int inputPosition() {
    return next;
  }

  /**
   * {@return how many bytes lie behind the end of the stream, which Kafka's reader ignores} Known
   * once the window found the end.
   */
  public int bytesBehindEnd() {
    return left();
  }

  /**
   * {@return true if the stream so far has a part that readers take differently: Kafka's skips it
   * or takes it for the end, depending on where it stands, or some of other languages pass over it
   * or refuse it}
   */
  public final boolean isAmbiguous() {
    return ambiguous;
  }

  /**
   * {@return the checksum of the whole content as the stream has it, equal to {@link
   * #computedContentHash()} where it is right, has none or none that Kafka skips} Known once the
   * window found the end, if {@link StreamChecks#verifiesContentChecksum()}.
   */
  public final int storedContentHash() {
    return storedContentHash;
  }

  /** {@return the checksum that the content has, see {@link #storedContentHash()}} */
  public final int computedContentHash() {
    return computedContentHash;
  }

  /** {@return how many bytes of the payload were not consumed yet} */
  protected final int left() {
    return payload.length() - next;
  }
}
