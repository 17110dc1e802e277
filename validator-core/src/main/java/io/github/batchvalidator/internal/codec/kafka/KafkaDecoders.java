// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.codec.StoredDecoder;
import io.github.batchvalidator.internal.codec.lz4.Lz4Decoder;
import io.github.batchvalidator.rule.Codec;

/**
 * Decoders that hand out plain bytes in exactly the portions in which Kafka's readers pull them.
 *
 * <p>If a compressed stream and its records both have faults, the readers meet them in the order in
 * which Kafka does. These decoders are slower than others and allocate for each batch. For input
 * with at most one fault, they give the same verdict as other decoders. See {@code
 * docs/decisions/015-kafka-reads.md}.
 *
 * <p>Confined to one thread.
 */
public final class KafkaDecoders extends Decoders {
  /** Creates no decoder yet. */
  public KafkaDecoders() {}

  @Override
  protected PayloadDecoder construct(Codec codec) {
    return switch (codec) {
      case NONE -> new StoredDecoder(Integer.MAX_VALUE);
      case GZIP -> new ChunkedGzipDecoder();
      case SNAPPY -> new ChunkedSnappyDecoder();
      case LZ4 -> new Lz4Decoder(Integer.MAX_VALUE); // Kafka's reader goes block by block, too
      case ZSTD -> new ChunkedZstdDecoder();
    };
  }
}
