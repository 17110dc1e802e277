// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.rule.Codec;

/** An encoder for uncompressed payloads: it copies the plain bytes. */
final class StoredEncoder extends Encoder {

  StoredEncoder() {
    super(Codec.NONE);
  }

  @Override
  void start(int level, int magic) {
    // a plain payload has no header
  }

  @Override
  void encode(byte[] source, int from, int length) {
    output.write(source, from, length);
  }

  @Override
  void end() {
    // a plain payload has no end mark
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
