// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PerCodecTest {
  /** Creates decoders of plain payloads, or fails as told. */
  private static final class Failing extends PerCodec<StoredDecoder> {
    private @Nullable Throwable failure;
    private int tries;

    @Override
    protected StoredDecoder construct(Codec codec) {
      tries++;
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      return new StoredDecoder(1);
    }
  }

  private final Failing registry = new Failing();

  @Test
  void aLibraryThatDoesNotLoadIsNotTriedAgain() {
    registry.failure = new NoClassDefFoundError();
    assertNull(registry.get(Codec.LZ4));
    registry.failure = null;
    assertNull(registry.get(Codec.LZ4));
    assertNotNull(registry.get(Codec.ZSTD));
    assertEquals(2, registry.tries);
    assertInstanceOf(NoClassDefFoundError.class, registry.unavailableCause(Codec.LZ4));
    assertEquals(Reason.CODEC_UNAVAILABLE, registry.missing(Codec.LZ4).reason());
    assertInstanceOf(NoClassDefFoundError.class, registry.missing(Codec.LZ4).cause());
    assertNull(registry.unavailableCause(Codec.ZSTD));
  }

  static List<Throwable> lacks() {
    return List.of(
        new OutOfMemoryError(),
        new StackOverflowError(),
        CodecFailure.noContext(new IllegalStateException("no context")));
  }

  @ParameterizedTest
  @MethodSource("lacks")
  void aLackOfMemoryPasses(Throwable lack) {
    registry.failure = lack;
    assertNull(registry.get(Codec.LZ4));
    assertNull(registry.unavailableCause(Codec.LZ4));
    assertEquals(Reason.CODEC_OUT_OF_MEMORY, registry.missing(Codec.LZ4).reason());
    assertSame(lack, registry.missing(Codec.LZ4).cause());
    registry.failure = null;
    StoredDecoder decoder = registry.get(Codec.LZ4);
    assertNotNull(decoder);
    assertSame(decoder, registry.get(Codec.LZ4));
    assertEquals(2, registry.tries);
  }
}
