// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.walk;

import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.engine.RecordReader;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A reader of the headers of batches, and of the first record of control batches. */
public final class HeaderReader implements AutoCloseable {
  private static final int KEY_BYTES = 2 * Short.BYTES;
  private static final int MARKER_BYTES = Short.BYTES + Integer.BYTES;

  private final RecordReader records = new RecordReader();
  private final BatchHeader header = new BatchHeader();
  private final LegacyHeader message = new LegacyHeader();

  /**
   * Returns the header of an inspected batch, or null if its checksum is not right.
   *
   * @param buffer contains the batch at its position
   * @param position of the batch in the segment
   * @param verdict of the batch
   */
  public @Nullable StoredBatch read(ByteBuffer buffer, long position, Verdict verdict) {
    Codec codec = verdict.codec();
    if (codec == null) {
      return null;
    }
    if (verdict.magic() != BatchLayout.MAGIC_V2) {
      return message(buffer, position, codec, verdict);
    }
    header.read(buffer, buffer.position());
    return batch(position, codec, header.isControl() ? control(buffer, codec) : null);
  }

  /**
   * Returns the header of a batch of magic 2 whose checksum is wrong, or null if the header cannot
   * be right.
   *
   * @param buffer contains the batch at its position
   * @param position of the batch in the segment
   */
  public @Nullable StoredBatch readUnverified(ByteBuffer buffer, long position) {
    header.read(buffer, buffer.position());
    Codec codec = Codec.byId(header.codecId());
    boolean isPlausible = SegmentStart.mayBeHeader(buffer, header.start());
    Control control = header.isControl() ? new Control(Control.UNREADABLE, StoredBatch.NONE) : null;
    return codec == null || !isPlausible ? null : batch(position, codec, control);
  }

  /**
   * Returns the last offset of the batch, or its base offset if the header is invalid. For magic 0
   * and 1 both are the same field.
   */
  public long lastOffset(ByteBuffer buffer, Verdict verdict) {
    header.read(buffer, buffer.position());
    boolean hasDelta = verdict.codec() != null && verdict.magic() == BatchLayout.MAGIC_V2;
    long baseOffset = header.baseOffset();
    return hasDelta ? Math.max(baseOffset, header.lastOffset()) : baseOffset;
  }

  private StoredBatch batch(long position, Codec codec, @Nullable Control control) {
    boolean hasProducer = header.producerId() >= 0;
    return new StoredBatch(
        position,
        header.sizeInBytes(),
        header.magic(),
        codec,
        header.baseOffset(),
        Math.max(header.baseOffset(), header.lastOffset()),
        header.recordCount(),
        header.baseTimestamp(),
        header.maxTimestamp(),
        header.partitionLeaderEpoch(),
        header.producerId(),
        hasProducer ? header.producerEpoch() : StoredBatch.NONE,
        hasProducer ? header.baseSequence() : StoredBatch.NONE,
        header.isTransactional(),
        control);
  }

  /** Reads a message of magic 0 or 1, whose offset is that of its last record. */
  private StoredBatch message(ByteBuffer buffer, long position, Codec codec, Verdict verdict) {
    message.read(buffer, buffer.position());
    long last = message.offset();
    int count = Math.max(1, verdict.recordCount());
    long timestamp = message.magic() == 0 ? StoredBatch.NONE : message.timestamp();
    return new StoredBatch(
        position,
        message.sizeInBytes(),
        message.magic(),
        codec,
        last - (count - 1),
        last,
        count,
        timestamp,
        timestamp,
        StoredBatch.NONE,
        StoredBatch.NONE,
        (short) StoredBatch.NONE,
        StoredBatch.NONE,
        false,
        null);
  }

  /**
   * Returns what a sound batch of magic 2 controls, or null for a batch of data.
   *
   * @param buffer contains the batch at its position
   */
  public @Nullable Control controlOf(ByteBuffer buffer) {
    header.read(buffer, buffer.position());
    Codec codec = Codec.byId(header.codecId());
    return codec == null || !header.isControl() ? null : control(buffer, codec);
  }

  private Control control(ByteBuffer buffer, Codec codec) {
    if (header.recordCount() <= 0) {
      return new Control(Control.NO_RECORD, StoredBatch.NONE);
    }
    Control control = new Control(Control.UNREADABLE, StoredBatch.NONE);
    if (records.open(buffer, header, codec) && records.next()) {
      control = firstRecord();
    }
    records.release();
    return control;
  }

  private Control firstRecord() {
    ByteBuffer record = ByteBuffer.wrap(records.array());
    int key = records.keyPosition();
    if (records.keySize() < KEY_BYTES || record.getShort(key) < 0) {
      return new Control(Control.UNREADABLE, StoredBatch.NONE);
    }
    int type = record.getShort(key + Short.BYTES);
    if (type != Control.ABORT && type != Control.COMMIT) {
      return new Control(type, StoredBatch.NONE);
    }
    int value = records.valuePosition();
    if (records.valueSize() < MARKER_BYTES || record.getShort(value) < 0) {
      return new Control(Control.UNREADABLE, StoredBatch.NONE);
    }
    return new Control(type, record.getInt(value + Short.BYTES));
  }

  @Override
  public void close() {
    records.close();
  }
}
