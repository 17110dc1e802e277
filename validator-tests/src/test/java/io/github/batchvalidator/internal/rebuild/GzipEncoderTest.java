// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;
import java.util.List;

class GzipEncoderTest extends EncoderContract {
  @Override
  Codec codec() {
    return Codec.GZIP;
  }

  @Override
  int heapKib() {
    return 16;
  }

  @Override
  int nativeKib() {
    return 268;
  }

  @Override
  List<Integer> levels() {
    return List.of(1, 2, 5, 6, 9);
  }
}
