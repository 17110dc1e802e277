// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Plain;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a codec library throws is the output's failure, and the last word on the batch. */
class EncoderFailureTest {
  private static final byte[] BYTES = {1, 2, 3};

  private final OutputBuffer output = new OutputBuffer();

  /** The step in which the library fails. */
  enum Step {
    START,
    ENCODE,
    END
  }

  /** An encoder whose library fails in one step, once a failure is set. */
  private static final class Failing extends Encoder {
    private final Step step;
    private @Nullable Throwable failure;

    Failing(Step step) {
      super(Codec.LZ4);
      this.step = step;
    }

    private void fail(Step now) {
      if (now != step || failure == null) {
        return;
      }
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }

    @Override
    void start(int level, int magic) {
      fail(Step.START);
      output.write(BYTES, 0, 1);
    }

    @Override
    void encode(byte[] source, int from, int length) throws IOException {
      if (failure instanceof IllegalStateException && step == Step.ENCODE) {
        throw new IOException(failure);
      }
      fail(Step.ENCODE);
      output.write(source, from, length);
    }

    @Override
    void end() {
      fail(Step.END);
      output.write(BYTES, 0, 1);
    }

    @Override
    public long heapBytes() {
      return 0;
    }

    @Override
    public long nativeBytes() {
      return 0;
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsThrown(Step step) {
    Map<Throwable, Reason> reasons =
        Map.of(
            new IllegalArgumentException(), Reason.CODEC_ENCODE_FAILED,
            new IllegalStateException(), Reason.CODEC_ENCODE_FAILED,
            new OutOfMemoryError(), Reason.CODEC_OUT_OF_MEMORY,
            new StackOverflowError(), Reason.CODEC_OUT_OF_MEMORY,
            new UnsatisfiedLinkError(), Reason.CODEC_UNAVAILABLE);
    try (Failing encoder = new Failing(step)) {
      reasons.forEach(
          (thrown, reason) -> {
            encoder.failure = thrown;
            assertFalse(run(encoder), thrown::toString);
            assertEquals(reason, output.failure());
            assertEquals(Codec.LZ4.id(), output.fault().first());
            assertSame(thrown, innermost(Objects.requireNonNull(output.fault().cause())));
            encoder.failure = null;
            assertTrue(run(encoder));
            assertNull(output.fault().cause());
            assertArrayEquals(new byte[] {1, 1, 2, 3, 1}, Written.to(output));
          });
    }
  }

  private static Throwable innermost(Throwable thrown) {
    Throwable cause = thrown.getCause();
    return cause == null ? thrown : cause;
  }

  private boolean run(Encoder encoder) {
    output.start(100);
    encoder.open(output, Codec.LZ4.defaultLevel(), 2);
    encoder.write(BYTES, 0, 0);
    encoder.write(BYTES, 0, 3);
    return encoder.finish();
  }

  /** No such level exists; the real libraries throw, or take the nearest one. */
  @ParameterizedTest
  @EnumSource
  void anImpossibleLevelHarmsNobody(Codec codec) {
    try (Encoders encoders = new Encoders()) {
      Encoder encoder = Objects.requireNonNull(encoders.get(codec));
      byte[] plain = Plain.JSON.bytes(100_000);
      output.start(1 << 20);
      encoder.open(output, Integer.MAX_VALUE, 2);
      encoder.write(plain, 0, plain.length);
      boolean done = encoder.finish();
      assertEquals(done ? null : Reason.CODEC_ENCODE_FAILED, output.failure());
      assertEquals(codec == Codec.GZIP, !done);
    }
  }

  @Test
  void aClosedEncoderFailsInsteadOfThrowing() {
    try (Encoders encoders = new Encoders()) {
      Encoder encoder = Objects.requireNonNull(encoders.get(Codec.GZIP));
      encoder.close();
      assertFalse(run(encoder));
      assertEquals(Reason.CODEC_ENCODE_FAILED, output.failure());
    }
  }
}
