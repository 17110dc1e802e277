// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing.streams;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;

/** The stream through which Kafka's iterators read a compressed batch of magic 2. */
public final class KafkaStream {
  private KafkaStream() {}

  /** Opens the stream, which fails if Kafka cannot read its header. */
  public static InputStream open(Codec codec, byte[] stored, BufferSupplier buffers) {
    return Batches.compression(codec)
        .wrapForInput(ByteBuffer.wrap(stored), RecordBatch.MAGIC_VALUE_V2, buffers);
  }

  /** Returns true if Kafka reads the stream to its end. */
  static boolean isReadable(Codec codec, byte[] stored) {
    try (InputStream in = open(codec, stored, BufferSupplier.NO_CACHING)) {
      in.readAllBytes();
      return true;
    } catch (IOException | RuntimeException | Error e) {
      return false;
    }
  }
}
