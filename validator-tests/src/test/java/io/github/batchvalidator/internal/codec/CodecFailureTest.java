// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.util.zip.DataFormatException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged data, a missing library and a lack of memory have different reasons. */
class CodecFailureTest {
  static Arguments[] thrown() {
    long noMemory = Zstd.errMemoryAllocation();
    return new Arguments[] {
      Arguments.of(new OutOfMemoryError("Java heap space"), Reason.CODEC_OUT_OF_MEMORY),
      Arguments.of(new StackOverflowError(), Reason.CODEC_OUT_OF_MEMORY),
      Arguments.of(new ZstdException(noMemory, "one call"), Reason.CODEC_OUT_OF_MEMORY),
      Arguments.of(new ZstdException(-noMemory, "stream"), Reason.CODEC_OUT_OF_MEMORY),
      Arguments.of(new UnsatisfiedLinkError(), Reason.CODEC_UNAVAILABLE),
      Arguments.of(new NoClassDefFoundError(), Reason.CODEC_UNAVAILABLE),
      Arguments.of(new ZstdException(Zstd.errCorruptionDetected(), "x"), Reason.CODEC_DATA_CORRUPT),
      Arguments.of(new DataFormatException(), Reason.CODEC_DATA_CORRUPT),
      Arguments.of(new ArrayIndexOutOfBoundsException(), Reason.CODEC_DATA_CORRUPT),
      Arguments.of(new IllegalStateException(), Reason.CODEC_DATA_CORRUPT)
    };
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void namesTheReason(Throwable thrown, Reason reason) {
    assertEquals(reason, CodecFailure.reason(thrown, Reason.CODEC_DATA_CORRUPT));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void theWindowKeepsTheFirstException(Throwable thrown, Reason reason) {
    ByteWindow window = new ByteWindow();
    window.fail(thrown, Reason.CODEC_DATA_CORRUPT, 7, Codec.ZSTD);
    window.fail(new OutOfMemoryError(), Reason.CODEC_DATA_CORRUPT, 8, Codec.ZSTD);
    assertEquals(reason, window.failure());
    assertEquals(reason == Reason.CODEC_DATA_CORRUPT ? 0 : 4, window.fault().first());
    assertSame(thrown, window.fault().cause());
  }
}
