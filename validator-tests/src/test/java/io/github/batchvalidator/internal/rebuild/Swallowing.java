// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;

/** An encoder that writes nothing, as a codec with the best ratio there is. */
final class Swallowing extends Encoder {
  Swallowing() {
    super(Codec.ZSTD);
  }

  @Override
  void start(int level, int magic) {}

  @Override
  void encode(byte[] source, int from, int length) {}

  @Override
  void end() {}

  @Override
  public long heapBytes() {
    return 0;
  }

  @Override
  public long nativeBytes() {
    return 0;
  }
}
