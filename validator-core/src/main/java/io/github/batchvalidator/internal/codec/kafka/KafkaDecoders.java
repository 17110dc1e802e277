// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.kafka;

import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.codec.StoredDecoder;
import io.github.batchvalidator.internal.codec.lz4.Lz4Decoder;
import io.github.batchvalidator.rule.Codec;

/**
 * A set of decoders that hand out plain bytes in exactly the portions that Kafka's readers pull.
 *
 * <p>If both a compressed stream and its records have faults, the readers find them in Kafka's
 * order. These decoders are slower than others and allocate for each batch. For input with at most
 * one fault, they give the same verdict as other decoders. See {@code
 * docs/decisions/015-kafka-reads.md}.
 *
 * <p>Confined to one thread.
 */
public final class KafkaDecoders extends Decoders {
  public KafkaDecoders() {}

  @Override
  protected PayloadDecoder construct(Codec codec) {
    return switch (codec) {
      case NONE -> new StoredDecoder(Integer.MAX_VALUE);
      case GZIP -> new ChunkedGzipDecoder();
      case SNAPPY -> new ChunkedSnappyDecoder();
      case LZ4 -> new Lz4Decoder(Integer.MAX_VALUE); // Kafka's reader also reads block by block
      case ZSTD -> new ChunkedZstdDecoder();
    };
  }
}
