// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static io.github.batchvalidator.fuzz.Fuzzing.require;

import io.github.batchvalidator.fuzz.FuzzInput;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.ZstdFrames;
import java.util.List;

/**
 * Any bytes to a decoder: bounded by its limits, the same wherever the bytes lie and whatever was
 * decoded before, and the same with small windows and with the other inflater.
 */
public final class DecoderFuzz {
  private static final int SMALL_WINDOW = 256;
  private static final List<Placement.Kind> KINDS =
      List.of(
          Placement.Kind.HEAP,
          Placement.Kind.HEAP_AT_OFFSET,
          Placement.Kind.HEAP_READ_ONLY,
          Placement.Kind.DIRECT);

  private final Codec codec;
  private final Decoders fastest;
  private final Decoders lowMemory;
  private final Decoders small;
  private final Decoders otherInflater;
  private final Payload payload = new Payload();
  private final ByteWindow window = new ByteWindow();

  /** Makes decoders that live as long as the JVM. */
  public DecoderFuzz(Codec codec, GzipInflater gzip) {
    this.codec = codec;
    fastest = WindowDecoders.fastest(gzip);
    lowMemory = WindowDecoders.withWindow(SkipBuffer.FIXED_BYTES, gzip);
    small = WindowDecoders.withWindow(SMALL_WINDOW, gzip);
    otherInflater =
        WindowDecoders.fastest(gzip == GzipInflater.JDK ? GzipInflater.JAVA : GzipInflater.JDK);
  }

  /** Takes an input: what is allowed, then the stream. */
  public void run(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    Limits limits =
        Limits.UNBOUNDED_AS_KAFKA
            .with(Limit.PLAIN_BYTES, input.of(1L << 18, 1L << 16, 1000L, 1L, 0L))
            .with(Limit.CODEC_MEMORY_BYTES, input.of(1 << 27, 1 << 20, 1 << 16));
    byte[] stored = input.rest();
    Outcome first = decode(fastest, Placement.Kind.HEAP, stored, limits);
    for (Placement.Kind kind : KINDS) {
      Outcome again = decode(fastest, kind, stored, limits);
      require(first.equalTo(again), "HEAP " + first + ", " + kind + " " + again);
    }
    compare(first, decode(lowMemory, Placement.Kind.HEAP, stored, limits), stored);
    compare(first, decode(small, Placement.Kind.DIRECT, stored, limits), stored);
    if (codec == Codec.GZIP) {
      Outcome other = decode(otherInflater, Placement.Kind.HEAP, stored, limits);
      require(
          first.reason() == other.reason() && first.agreesWith(other),
          "inflaters: " + first + " and " + other);
    }
  }

  private Outcome decode(Decoders decoders, Placement.Kind kind, byte[] stored, Limits limits) {
    Placement placement = Placement.of(kind, stored);
    PayloadDecoder decoder = DecoderContract.decoder(decoders, codec);
    decoder.open(placement.wrap(payload), limits, window);
    Outcome outcome = Outcome.drain(window);
    placement.assertUntouched();
    require(outcome.plain().length <= limits.plainBytes(), "too many bytes: " + outcome);
    require(
        outcome.reason() != Reason.LIMIT_PLAIN_BYTES
            || (outcome.plain().length == limits.plainBytes()
                && window.fault().first() == limits.plainBytes() + 1),
        "read " + outcome.plain().length + " of " + limits);
    require(
        0 <= outcome.inputPosition() && outcome.inputPosition() <= stored.length,
        "input position: " + outcome);
    decoder.release();
    window.clear();
    payload.clear();
    return outcome;
  }

  /** A large window may report a fault before it supplies the bytes that precede the fault. */
  private void compare(Outcome large, Outcome few, byte[] stored) {
    if (codec == Codec.ZSTD && tellsContentSize(stored)) {
      return; // ZSTD_CONTENT_SIZE_IN_LOW_MEMORY
    }
    boolean limited =
        large.reason() == Reason.LIMIT_PLAIN_BYTES || few.reason() == Reason.LIMIT_PLAIN_BYTES;
    require(
        large.agreesWith(few) && (limited || large.reason() == few.reason()),
        "windows: " + large + " and " + few);
  }

  /** Returns true if something that looks like the header of a zstd frame tells a content size. */
  private static boolean tellsContentSize(byte[] stored) {
    int magic = ZstdFrames.MAGIC.length;
    for (int at = 0; at + magic < stored.length; at++) {
      if (startsFrame(stored, at) && (stored[at + magic] & ZstdFrames.CONTENT_SIZE_FLAGS) != 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsFrame(byte[] stored, int at) {
    for (int i = 0; i < ZstdFrames.MAGIC.length; i++) {
      if (stored[at + i] != ZstdFrames.MAGIC[i]) {
        return false;
      }
    }
    return true;
  }
}
