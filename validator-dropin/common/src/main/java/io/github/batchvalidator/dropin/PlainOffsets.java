// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.format.BatchHeader;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Looks whether the records of an uncompressed batch have the offsets 0, 1, 2, ... Where a log
 * compresses, Kafka keeps such a batch as it is (a control batch above all) only if they have.
 * Confined to one thread.
 */
final class PlainOffsets implements AutoCloseable {
  private final Decoders decoders = WindowDecoders.fastest();
  private final BatchHeader header = new BatchHeader();
  private final Payload payload = new Payload();
  private final ByteWindow window = new ByteWindow();
  private final SkipKeyValueIterator records = new SkipKeyValueIterator();

  /**
   * {@return true if they have}
   *
   * @param batch uncompressed and accepted; a message of magic 1 has its offset, not one in it
   */
  boolean areSequential(ByteBuffer batch) {
    header.read(batch, batch.position());
    return header.magic() == BatchLayout.MAGIC_V2
        ? recordsAreSequential(batch)
        : header.baseOffset() == 0;
  }

  private boolean recordsAreSequential(ByteBuffer batch) {
    long baseOffset = header.baseOffset();
    int bytes = header.sizeInBytes() - BatchLayout.HEADER_BYTES;
    payload.wrap(batch, header.start() + BatchLayout.HEADER_BYTES, bytes);
    PayloadDecoder decoder = Objects.requireNonNull(decoders.get(Codec.NONE));
    decoder.open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
    records.openStored(window, header.recordCount(), bytes, Limits.UNBOUNDED_AS_KAFKA);
    boolean sequential = true;
    while (sequential && records.next()) {
      sequential = baseOffset + records.offsetDelta() == records.index();
    }
    decoder.release();
    payload.clear();
    window.clear();
    return sequential;
  }

  @Override
  public void close() {
    decoders.close();
  }
}
