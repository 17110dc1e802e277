// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.KafkaStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;

/** The result of decoding a stream: the bytes before the end, and the fault it ended with. */
public final class Outcome {
  private final byte[] plain;
  private final @Nullable Object fault;
  private final int inputPosition;

  private Outcome(byte[] plain, @Nullable Object fault, int inputPosition) {
    this.plain = plain;
    this.fault = fault;
    this.inputPosition = inputPosition;
  }

  static Outcome of(PayloadDecoder decoder, Payload payload, Limits limits) {
    ByteWindow window = new ByteWindow();
    decoder.open(payload, limits, window);
    return drain(window);
  }

  /** Runs a decoder over a stream. */
  public static Outcome of(PayloadDecoder decoder, byte[] stored) {
    Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
    Outcome outcome = of(decoder, payload, Limits.UNBOUNDED_AS_KAFKA);
    decoder.release();
    return outcome;
  }

  /** Reads all that an open window has. */
  static Outcome drain(ByteWindow window) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    while (window.refill()) {
      if (window.available() < 1 || window.failure() != null) {
        throw new AssertionError("nothing to read, or a fault: " + window.failure());
      }
      plain.write(window.array(), window.position(), window.available());
      window.position(window.limit());
    }
    if (window.plainPosition() != plain.size()) {
      throw new AssertionError(window.plainPosition() + " is not " + plain.size());
    }
    if (window.refill() || window.available() != 0) {
      throw new AssertionError("the window goes on behind its end");
    }
    return new Outcome(plain.toByteArray(), window.failure(), window.inputPosition());
  }

  /** Runs the stream that Kafka's iterators read a batch of magic 2 through. */
  public static Outcome ofKafka(Codec codec, byte[] stored) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    try (BufferSupplier buffers = BufferSupplier.create();
        InputStream in = KafkaStream.open(codec, stored, buffers)) {
      byte[] piece = new byte[1024];
      for (int bytes = in.read(piece); bytes >= 0; bytes = in.read(piece)) {
        plain.write(piece, 0, bytes);
      }
      return new Outcome(plain.toByteArray(), null, stored.length);
    } catch (IOException | RuntimeException | Error e) {
      return new Outcome(plain.toByteArray(), e, 0);
    }
  }

  /** Returns the bytes before the end. */
  public byte[] plain() {
    return plain;
  }

  /** Returns true if the stream ended as it should. */
  public boolean isClean() {
    return fault == null;
  }

  @Nullable Object fault() {
    return fault;
  }

  @Nullable Reason reason() {
    return (Reason) fault;
  }

  public int inputPosition() {
    return inputPosition;
  }

  /** Returns true if both are the same to the byte, the reason included. */
  boolean equalTo(Outcome other) {
    return fault == other.fault
        && inputPosition == other.inputPosition
        && Arrays.equals(plain, other.plain);
  }

  /**
   * Returns true if both end cleanly with the same bytes, or both fail and agree on the bytes they
   * got so far: Kafka's streams lose what they had decoded of the piece that a fault lies in.
   */
  boolean agreesWith(Outcome other) {
    if (isClean() && other.isClean()) {
      return Arrays.equals(plain, other.plain);
    }
    return !isClean() && !other.isClean() && (startsWith(other.plain) || other.startsWith(plain));
  }

  /** Returns true if these bytes begin with others. */
  boolean startsWith(byte[] prefix) {
    return prefix.length <= plain.length
        && Arrays.equals(plain, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Override
  public String toString() {
    return plain.length + " bytes, " + (fault == null ? "clean" : fault) + " @" + inputPosition;
  }
}
