// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;
import java.util.List;

class Lz4EncoderTest extends EncoderContract {
  @Override
  Codec codec() {
    return Codec.LZ4;
  }

  @Override
  int heapKib() {
    return 129;
  }

  @Override
  int nativeKib() {
    return 0;
  }

  @Override
  List<Integer> levels() {
    return List.of(1, 5, 12, 17);
  }
}
