// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.codec.PerCodec;
import io.github.batchvalidator.rule.Codec;

/** A registry with one encoder per codec. Confined to one thread. */
public final class Encoders extends PerCodec<Encoder> {

  /** Creates the registry; encoders are created when first needed. */
  public Encoders() {}

  @Override
  protected Encoder construct(Codec codec) {
    return switch (codec) {
      case NONE -> new StoredEncoder();
      case GZIP -> new GzipEncoder();
      case SNAPPY -> new SnappyEncoder();
      case LZ4 -> new Lz4Encoder();
      case ZSTD -> new ZstdEncoder();
    };
  }
}
