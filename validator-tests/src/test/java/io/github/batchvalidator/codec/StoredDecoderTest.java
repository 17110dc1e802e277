// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Codec;
import java.util.List;

class StoredDecoderTest extends DecoderContract {
  @Override
  Codec codec() {
    return Codec.NONE;
  }

  @Override
  byte[] encode(byte[] plain) {
    return plain.clone();
  }

  /** Over an array there is but one stretch; the limit is tested over a direct buffer. */
  @Override
  int largestStretch() {
    return StoredDecoder.WINDOW_BYTES;
  }

  @Override
  List<byte[]> smallStreams() {
    return List.of(Plain.JSON.bytes(100));
  }
}
