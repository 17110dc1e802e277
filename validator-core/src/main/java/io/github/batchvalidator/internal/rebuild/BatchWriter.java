// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A writer for one batch of any magic, compressed or not, or for several uncompressed messages of
 * magic 0 or 1 (Kafka's {@code MemoryRecordsBuilder}). Records get ascending offsets; the header is
 * written last.
 *
 * <p>Nothing is written after the first fault, which {@link #fault()} returns. A message with a
 * value beyond its end replaces an earlier fault, as in Kafka. Input that makes Kafka's builder
 * throw is also a fault. Confined to one thread.
 */
final class BatchWriter {
  private static final long NO_TIMESTAMP = -1;
  private static final long NO_PRODUCER_ID = -1;
  private static final short NO_PRODUCER_EPOCH = -1;
  private static final int NO_SEQUENCE = -1;
  private static final byte[] NO_BYTES = {};
  private static final ByteBuffer NOTHING = ByteBuffer.wrap(NO_BYTES);

  private final Encoders encoders;
  private final Checksums checksums;
  private final OutputBuffer output = new OutputBuffer();
  private final RecordWriter recordWriter = new RecordWriter();
  private final MessageWriter messageWriter = new MessageWriter();
  private final OutputRecord pending = new OutputRecord();
  private ByteBuffer view = NOTHING;
  private byte[] viewed = NO_BYTES;
  private int length;

  private @Nullable Encoder encoder;
  private Codec codec = Codec.NONE;
  private byte magic;
  private boolean logAppendTime;
  private long nowMs;
  private long firstOffset;
  private boolean transactional;
  private long producerId;
  private short producerEpoch;
  private int baseSequence;

  private int headerBytes;
  private int count;
  private int appended;
  private int plainBytes;
  private long baseTimestamp;
  private long maxTimestamp;

  private final Fault fault = new Fault();

  BatchWriter(Encoders encoders, Checksums checksums) {
    this.encoders = encoders;
    this.checksums = checksums;
  }

  /**
   * Starts a batch without a producer. If the topic has no codec, the codec of the source is used.
   */
  void begin(Policy policy, Codec sourceCodec, long offset, long now) {
    Target target = policy.target();
    Codec stored = target.codec();
    output.release();
    if (output.heapBytes() == 0) { // a large array was dropped
      view(NO_BYTES);
    }
    magic = target.magic();
    codec = stored == null ? sourceCodec : stored;
    logAppendTime = target.timestampType() == TimestampType.LOG_APPEND_TIME;
    nowMs = now;
    firstOffset = offset;
    producer(null);
    count = 0;
    appended = 0;
    plainBytes = 0;
    baseTimestamp = NO_TIMESTAMP;
    maxTimestamp = NO_TIMESTAMP;
    fault.clear();
    headerBytes = BatchLayout.headerBytes(magic, codec != Codec.NONE);
    output.start(policy.limits().rebuiltBytes());
    output.skip(headerBytes);
    open(stored == null ? codec.defaultLevel() : target.level());
  }

  /** Starts without a batch: appended records are not written. */
  void beginNothing() {
    encoder = null;
    count = 0;
    appended = 0;
    fault.clear();
  }

  /** Returns whether appended records are written. */
  boolean isWriting() {
    return encoder != null;
  }

  private void open(int level) {
    Encoder opened = encoders.get(codec);
    encoder = opened;
    if (magic != BatchLayout.MAGIC_V2 && codec == Codec.ZSTD) {
      fail(Reason.BATCH_CODEC_UNSUPPORTED, codec.id(), magic);
    } else if (opened == null) {
      fault.copy(encoders.missing(codec));
    } else {
      opened.open(output, level, magic);
    }
  }

  /** Takes producer and transaction from the header of the source; null means neither. */
  void producer(@Nullable BatchHeader header) {
    transactional = header != null && header.isTransactional();
    producerId = header == null ? NO_PRODUCER_ID : header.producerId();
    producerEpoch = header == null ? NO_PRODUCER_EPOCH : header.producerEpoch();
    baseSequence = header == null ? NO_SEQUENCE : header.baseSequence();
  }

  // ---- records

  /** Appends a record of magic 2; copies its bytes if they would not change. */
  void append(RecordIterator record, long timestamp) {
    Encoder to = encoder;
    if (to == null || !accept(timestamp, record.headerCount())) {
      return;
    }
    long timestampDelta = timestamp - baseTimestamp;
    if (magic == BatchLayout.MAGIC_V2
        && record.isCanonical()
        && record.offsetDelta() == count
        && record.timestampDelta() == timestampDelta) {
      int size = record.end() - record.position();
      to.write(record.array(), record.position(), size);
      written(size, timestamp);
    } else {
      write(pending.of(record, timestamp), to);
    }
  }

  /** Appends a message of magic 0 or 1. */
  void append(LegacyMessageIterator message) {
    Encoder to = encoder;
    if (to == null) {
      return;
    }
    if (message.fieldsEnd() > message.size()) {
      // Kafka adds up the sizes of all keys and values before it appends the first record.
      appended = 0;
      fail(Reason.RECORD_FIELD_BEYOND_END, message.fieldsEnd(), message.size());
    } else if (accept(message.timestamp(), 0)) {
      write(pending.of(message), to);
    }
  }

  private boolean accept(long timestamp, int headerCount) {
    if (fault.isSet()) {
      return false;
    }
    appended++;
    if (count > 0 && firstOffset + count <= firstOffset) {
      return fail(Reason.REBUILD_OFFSET_OVERFLOW, firstOffset, 0);
    }
    if (timestamp < 0 && timestamp != NO_TIMESTAMP) {
      return fail(Reason.REBUILD_TIMESTAMP_NEGATIVE, timestamp, 0);
    }
    if (magic != BatchLayout.MAGIC_V2 && headerCount > 0) {
      return fail(Reason.REBUILD_HEADERS_UNSUPPORTED, headerCount, magic);
    }
    if (count == 0) {
      baseTimestamp = timestamp;
    }
    return true;
  }

  private void write(OutputRecord fields, Encoder to) {
    if (magic == BatchLayout.MAGIC_V2) {
      long timestampDelta = fields.timestamp - baseTimestamp;
      written(recordWriter.write(fields, count, timestampDelta, to), fields.timestamp);
      return;
    }
    if (logAppendTime) {
      fields.timestamp = nowMs;
    }
    boolean relative = magic == LegacyLayout.MAGIC_V1 && codec != Codec.NONE;
    long offset = relative ? count : firstOffset + count;
    written(messageWriter.write(fields, magic, typeBit(), offset, to), fields.timestamp);
  }

  private void written(int size, long timestamp) {
    count++;
    plainBytes += size;
    if (magic != LegacyLayout.MAGIC_V0) {
      maxTimestamp = Math.max(maxTimestamp, timestamp);
    }
  }

  private int typeBit() {
    return logAppendTime && magic != LegacyLayout.MAGIC_V0 ? BatchLayout.TIMESTAMP_TYPE_MASK : 0;
  }

  // ---- the end

  /** Ends the batch; false after a fault. Without records there are no bytes, as in Kafka. */
  boolean finish() {
    Encoder to = encoder;
    if (fault.isSet() || to == null || !checkProducer()) {
      return false;
    }
    if (count == 0 && logAppendTime && headerBytes > 0) {
      return fail(Reason.REBUILD_WITHOUT_RECORDS, 0, 0);
    }
    boolean sound = to.finish();
    if (!sound && output.fault().isSet()) {
      return fault.copy(output.fault());
    }
    view(output.array());
    length = count == 0 ? 0 : output.length();
    whole();
    if (count > 0 && magic == BatchLayout.MAGIC_V2) {
      putHeader();
    } else if (count > 0 && codec != Codec.NONE) {
      BigEndian.putLong(view, LegacyLayout.OFFSET_OFFSET, firstOffset + count - 1);
      MessageWriter.putOuter(view, magic, codec.id() | typeBit(), storedTimestamp(), checksums);
    }
    return true;
  }

  private void view(byte[] array) {
    if (viewed != array) {
      viewed = array;
      view = ByteBuffer.wrap(array);
    }
  }

  /** Restores position, limit and order, which the caller may have changed. */
  private ByteBuffer whole() {
    return view.order(ByteOrder.BIG_ENDIAN).clear().limit(length);
  }

  private boolean checkProducer() {
    if (producerId == NO_PRODUCER_ID) {
      return !transactional || fail(Reason.REBUILD_PRODUCER_ID_MISSING, 0, 0);
    }
    if (producerEpoch == NO_PRODUCER_EPOCH) {
      return fail(Reason.REBUILD_PRODUCER_EPOCH_MISSING, producerId, 0);
    }
    if (baseSequence < 0) {
      return fail(Reason.REBUILD_SEQUENCE_MISSING, baseSequence, producerId);
    }
    return magic == BatchLayout.MAGIC_V2 || fail(Reason.BATCH_IDEMPOTENT_UNSUPPORTED, magic, 0);
  }

  private long storedTimestamp() {
    return logAppendTime ? nowMs : maxTimestamp;
  }

  private void putHeader() {
    int size = view.limit();
    int attributes = codec.id() | typeBit() | (transactional ? BatchLayout.TRANSACTIONAL_MASK : 0);
    BigEndian.putLong(view, BatchLayout.BASE_OFFSET_OFFSET, firstOffset);
    BigEndian.putInt(view, BatchLayout.LENGTH_OFFSET, size - BatchLayout.LOG_OVERHEAD);
    view.put(BatchLayout.MAGIC_OFFSET, magic);
    BigEndian.putShort(view, BatchLayout.ATTRIBUTES_OFFSET, (short) attributes);
    BigEndian.putInt(view, BatchLayout.LAST_OFFSET_DELTA_OFFSET, count - 1);
    BigEndian.putLong(view, BatchLayout.BASE_TIMESTAMP_OFFSET, baseTimestamp);
    BigEndian.putLong(view, BatchLayout.MAX_TIMESTAMP_OFFSET, storedTimestamp());
    BigEndian.putLong(view, BatchLayout.PRODUCER_ID_OFFSET, producerId);
    BigEndian.putShort(view, BatchLayout.PRODUCER_EPOCH_OFFSET, producerEpoch);
    BigEndian.putInt(view, BatchLayout.BASE_SEQUENCE_OFFSET, baseSequence);
    BigEndian.putInt(view, BatchLayout.RECORD_COUNT_OFFSET, count);
    int covered = BatchLayout.ATTRIBUTES_OFFSET;
    BigEndian.putInt(view, BatchLayout.CRC_OFFSET, checksums.crc32c(view, covered, size - covered));
  }

  /** Releases the source, but not the output, which belongs to the caller until the next batch. */
  void release() {
    Encoder opened = encoder;
    if (opened != null) {
      opened.release();
    }
    pending.clear();
    recordWriter.release();
    if (viewed.length < output.heapBytes()) { // a refused rebuild wrote to a larger array
      view(NO_BYTES);
    }
  }

  void close() {
    encoder = null;
    output.close();
    recordWriter.close();
    view(NO_BYTES);
    length = 0;
  }

  /** Returns the batch, with position, limit and order restored. */
  ByteBuffer written() {
    return whole();
  }

  /** Returns the codec that is written. */
  Codec codec() {
    return codec;
  }

  /**
   * Returns the only possible first offset, which compressed messages of magic 0 contain, or -1.
   */
  long fixedOffset() {
    return magic == LegacyLayout.MAGIC_V0 && codec != Codec.NONE ? firstOffset : -1;
  }

  /** Returns how many records were written. */
  int count() {
    return count;
  }

  /** Returns the maximum timestamp that an append reports. */
  long maxTimestamp() {
    return storedTimestamp();
  }

  /** Returns the magic that is written. */
  byte magic() {
    return magic;
  }

  /** Returns how many offsets were taken, including the offset of a record at fault. */
  int offsetsTaken() {
    return appended;
  }

  /** Returns the bytes written before compression, header included; the int may wrap. */
  int plainBytes() {
    return plainBytes + headerBytes;
  }

  /** Returns the heap bytes held between batches. */
  long heapBytes() {
    return output.heapBytes() + recordWriter.heapBytes();
  }

  // ---- the fault

  /** Returns the fault that ended the batch, if there is one. */
  Fault fault() {
    return fault;
  }

  private boolean fail(Reason why, long first, long second) {
    return fault.set(why, first, second);
  }
}
