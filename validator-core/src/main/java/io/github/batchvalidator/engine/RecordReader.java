// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.engine;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.scan.HeaderCursor;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;

/**
 * A reader of the records of stored batches of magic 2, with keys, values and headers. Checks no
 * rule: a batch that was not accepted is read up to the first record that is not readable.
 *
 * <p>Reused for every batch. Confined to one thread.
 */
public final class RecordReader implements AutoCloseable {
  private final PayloadReader payload = new PayloadReader(WindowDecoders.fastest());
  private final RecordIterator records = new RecordIterator();
  private final MutableVerdict ignored = new MutableVerdict(0);
  private final HeaderCursor headers = new HeaderCursor();

  /** Creates a reader without a batch. Decoders are created on first use. */
  public RecordReader() {}

  /**
   * Opens a batch. Call {@link #release} afterward, whatever this method returns.
   *
   * @param buffer contains the batch
   * @param header the header of the batch
   * @param codec the codec of the batch
   * @return false if the codec cannot be used
   */
  public boolean open(ByteBuffer buffer, BatchHeader header, Codec codec) {
    int from = header.start() + BatchLayout.HEADER_BYTES;
    payload.select(buffer, from, header.sizeInBytes() - BatchLayout.HEADER_BYTES);
    ignored.reset(Policy.STORED);
    if (!payload.open(codec, Limits.UNBOUNDED_AS_KAFKA, StreamChecks.KAFKA, ignored)) {
      return false;
    }
    int count = header.recordCount();
    if (codec == Codec.NONE) {
      records.openStored(payload.window(), count, payload.length(), Limits.UNBOUNDED_AS_KAFKA);
    } else {
      records.open(payload.window(), count, Limits.UNBOUNDED_AS_KAFKA);
    }
    return true;
  }

  /** {@return true if there is a next record, which is then the current one} */
  public boolean next() {
    if (!records.next()) {
      return false;
    }
    headers.open(records.array(), records.headersPosition(), records.end(), records.headerCount());
    return true;
  }

  /** {@return the timestamp of the record minus the base timestamp of the batch} */
  public long timestampDelta() {
    return records.timestampDelta();
  }

  /** {@return the offset of the record minus the base offset of the batch} */
  public int offsetDelta() {
    return records.offsetDelta();
  }

  /** {@return the array with the whole record, valid until the next record} */
  public byte[] array() {
    return records.array();
  }

  /** {@return the index of the first byte of the key} */
  public int keyPosition() {
    return records.keyPosition();
  }

  /** {@return the size of the key, negative for null} */
  public int keySize() {
    return records.keySize();
  }

  /** {@return the index of the first byte of the value} */
  public int valuePosition() {
    return records.valuePosition();
  }

  /** {@return the size of the value, negative for null} */
  public int valueSize() {
    return records.valueSize();
  }

  /** {@return the number of headers} */
  public int headerCount() {
    return records.headerCount();
  }

  /** {@return the index of the first header} */
  public int headersPosition() {
    return records.headersPosition();
  }

  /** {@return the index after the record} */
  int end() {
    return records.end();
  }

  /** {@return the size of all headers, without their number} */
  public int headersSize() {
    return records.end() - records.headersPosition();
  }

  /** {@return true if the record has a next header, whose key is then the current one} */
  public boolean nextHeader() {
    return headers.next();
  }

  /** {@return the index of the first byte of the key of the current header} */
  public int headerKeyPosition() {
    return headers.keyPosition();
  }

  /** {@return the size of the key of the current header} */
  public int headerKeySize() {
    return headers.keySize();
  }

  /** Releases the buffer. */
  public void release() {
    headers.clear();
    records.release();
    payload.release();
  }

  @Override
  public void close() {
    payload.close();
  }
}
