// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rebuild;

import io.github.batchvalidator.ZstdForeignCalls;
import io.github.batchvalidator.rule.Codec;
import java.util.List;

class ZstdEncoderTest extends EncoderContract {
  /**
   * The most that one batch of this contract takes: reset, level, one piece, the rest and the end.
   */
  private static final long LIBRARY_CALLS = 6;

  @Override
  Codec codec() {
    return Codec.ZSTD;
  }

  @Override
  List<Integer> levels() {
    return List.of(-131_072, -7, -1, 1, 2, 4, 5, 8, 9, 13, 19, 20, 22);
  }

  @Override
  boolean writesWhatKafkaWrites() {
    return false;
  }

  @Override
  long allowedBytes() {
    return ZstdForeignCalls.inUse() ? LIBRARY_CALLS * ZstdForeignCalls.BYTES_PER_LIBRARY_CALL : 0;
  }
}
