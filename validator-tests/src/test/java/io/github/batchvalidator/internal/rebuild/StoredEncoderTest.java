// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;
import java.util.List;

class StoredEncoderTest extends EncoderContract {
  @Override
  Codec codec() {
    return Codec.NONE;
  }

  @Override
  int heapKib() {
    return 0;
  }

  @Override
  int nativeKib() {
    return 0;
  }

  @Override
  List<Integer> levels() {
    return List.of(0);
  }
}
