// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;

/** A reader of the records of batches of magic 2. Confined to one thread. */
final class BatchRecords implements AutoCloseable {
  private final PayloadReader reader = new PayloadReader(WindowDecoders.fastest());
  private final RecordIterator records = new RecordIterator();
  private final MutableVerdict ignored = new MutableVerdict(0);

  /**
   * Opens a batch. Call {@link #release} afterward, whatever this method returns.
   *
   * @param buffer contains the batch
   * @param header the header of the batch
   * @param codec the codec of the batch
   * @return false if the codec cannot be used
   */
  boolean open(ByteBuffer buffer, BatchHeader header, Codec codec) {
    int from = header.start() + BatchLayout.HEADER_BYTES;
    reader.select(buffer, from, header.sizeInBytes() - BatchLayout.HEADER_BYTES);
    ignored.reset(Policy.STORED);
    if (!reader.open(codec, Limits.UNBOUNDED_AS_KAFKA, StreamChecks.KAFKA, ignored)) {
      return false;
    }
    int count = header.recordCount();
    if (codec == Codec.NONE) {
      records.openStored(reader.window(), count, reader.length(), Limits.UNBOUNDED_AS_KAFKA);
    } else {
      records.open(reader.window(), count, Limits.UNBOUNDED_AS_KAFKA);
    }
    return true;
  }

  /** Returns the records of the open batch. */
  RecordIterator records() {
    return records;
  }

  /** Releases the buffer. */
  void release() {
    records.release();
    reader.release();
  }

  @Override
  public void close() {
    reader.close();
  }
}
