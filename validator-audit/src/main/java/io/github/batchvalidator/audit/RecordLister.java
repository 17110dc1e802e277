// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.Payload;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredRecord;
import io.github.batchvalidator.engine.RecordReader;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lister of the records of batches of magic 2. Confined to one thread. */
final class RecordLister implements AutoCloseable {
  private final RecordReader records = new RecordReader();
  private final BatchHeader header = new BatchHeader();
  private final boolean hasPayload;

  /**
   * Creates a lister.
   *
   * @param hasPayload true to copy the first bytes of keys and values
   */
  RecordLister(boolean hasPayload) {
    this.hasPayload = hasPayload;
  }

  /** A receiver of records. */
  interface Sink {
    void accept(StoredRecord next) throws InterruptedException;
  }

  /**
   * Lists the records of a batch up to the first one that cannot be read.
   *
   * @param buffer contains the batch at its position
   * @param batch the header of the batch
   * @param sink receives the records
   */
  void list(ByteBuffer buffer, StoredBatch batch, Sink sink) throws InterruptedException {
    if (batch.magic() != BatchLayout.MAGIC_V2) {
      return;
    }
    header.read(buffer, buffer.position());
    if (records.open(buffer, header, batch.codec())) {
      while (records.next()) {
        sink.accept(current(batch.position()));
      }
    }
    records.release();
  }

  private StoredRecord current(long position) {
    boolean isAppendTime = header.isLogAppendTime();
    return new StoredRecord(
        position,
        header.baseOffset() + records.offsetDelta(),
        isAppendTime ? header.maxTimestamp() : header.baseTimestamp() + records.timestampDelta(),
        Math.max(StoredRecord.NULL, records.keySize()),
        Math.max(StoredRecord.NULL, records.valueSize()),
        records.headerCount(),
        headerKeys(),
        payload(records.array(), records.keyPosition(), records.keySize()),
        payload(records.array(), records.valuePosition(), records.valueSize()));
  }

  private @Nullable Payload payload(byte[] array, int from, int size) {
    return hasPayload && size >= 0 ? new Payload(array, from, size) : null;
  }

  private List<String> headerKeys() {
    int count = Math.min(records.headerCount(), StoredRecord.MAX_HEADERS);
    if (count <= 0) {
      return List.of();
    }
    List<String> keys = new ArrayList<>(count);
    while (keys.size() < count && records.nextHeader()) {
      int shown = Math.min(records.headerKeySize(), StoredRecord.MAX_HEADER_BYTES);
      int at = records.headerKeyPosition();
      keys.add(new String(records.array(), at, shown, StandardCharsets.UTF_8));
    }
    return keys;
  }

  @Override
  public void close() {
    records.close();
  }
}
