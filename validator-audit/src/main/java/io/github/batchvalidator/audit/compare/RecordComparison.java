// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.engine.RecordReader;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import java.util.Arrays;

/**
 * A comparison of what the cleaner keeps of a batch: offsets, leader epoch, producer, codec and
 * flags, and of each record that both batches have its timestamp, key, value and headers.
 *
 * <p>The batches passed the checks of {@code ./check} before. Records are read one by one. Confined
 * to one thread.
 */
final class RecordComparison implements AutoCloseable {
  private static final int COMPARED_FLAGS =
      BatchLayout.TIMESTAMP_TYPE_MASK | BatchLayout.TRANSACTIONAL_MASK | BatchLayout.CONTROL_MASK;

  private final Records one = new Records();
  private final Records other = new Records();

  /** The records of a batch. */
  private static final class Records {
    private final RecordReader reader = new RecordReader();
    private final BatchHeader header = new BatchHeader();
    private boolean isAtRecord;

    private boolean open(CopyCursor batch) {
      header.read(batch.buffer(), batch.index());
      Codec codec = Codec.byId(header.codecId());
      return batch.magic() == BatchLayout.MAGIC_V2
          && codec != null
          && reader.open(batch.buffer(), header, codec);
    }

    private void next() {
      isAtRecord = reader.next();
    }

    private long offset() {
      return header.baseOffset() + reader.offsetDelta();
    }

    private long timestamp() {
      return header.isLogAppendTime()
          ? header.maxTimestamp()
          : header.baseTimestamp() + reader.timestampDelta();
    }
  }

  /** Compares two sound batches that start at the same offset. */
  void compare(CopyCursor first, CopyCursor second, RecordDifference found) {
    try {
      boolean isOpen = one.open(first) && other.open(second);
      if (isOpen) {
        compareHeaders(found);
        compareRecords(found);
      } else {
        found.incomparable();
      }
    } finally {
      one.reader.release();
      other.reader.release();
    }
  }

  private void compareHeaders(RecordDifference found) {
    BatchHeader mine = one.header;
    BatchHeader others = other.header;
    compare(mine.partitionLeaderEpoch(), others.partitionLeaderEpoch(), "leader epoch", found);
    compare(mine.lastOffset(), others.lastOffset(), "last offset", found);
    compare(mine.producerId(), others.producerId(), "producer id", found);
    compare(mine.producerEpoch(), others.producerEpoch(), "producer epoch", found);
    compare(mine.baseSequence(), others.baseSequence(), "sequence", found);
    compare(
        mine.attributes() & COMPARED_FLAGS, others.attributes() & COMPARED_FLAGS, "flags", found);
    if (mine.recordCount() > 0 && others.recordCount() > 0) { // the cleaner writes no codec without
      compare(mine.codecId(), others.codecId(), "codec", found);
    }
  }

  private static void compare(long mine, long others, String name, RecordDifference found) {
    if (mine != others) {
      found.found(-1, name);
    }
  }

  private void compareRecords(RecordDifference found) {
    one.next();
    other.next();
    while (one.isAtRecord || other.isAtRecord) {
      if (one.isAtRecord && other.isAtRecord && one.offset() == other.offset()) {
        compareRecord(found);
        one.next();
        other.next();
      } else {
        found.onlyInOne();
        boolean isMine = !other.isAtRecord || (one.isAtRecord && one.offset() < other.offset());
        (isMine ? one : other).next();
      }
    }
  }

  private void compareRecord(RecordDifference found) {
    long offset = one.offset();
    RecordReader mine = one.reader;
    RecordReader others = other.reader;
    if (one.timestamp() != other.timestamp()) {
      found.found(offset, "timestamp");
    } else if (mine.keySize() != others.keySize()
        || !isSame(mine.keyPosition(), others.keyPosition(), mine.keySize())) {
      found.found(offset, "key");
    } else if (mine.valueSize() != others.valueSize()
        || !isSame(mine.valuePosition(), others.valuePosition(), mine.valueSize())) {
      found.found(offset, "value");
    } else if (mine.headersSize() != others.headersSize()
        || !isSame(mine.headersPosition(), others.headersPosition(), mine.headersSize())) {
      found.found(offset, "headers");
    }
  }

  private boolean isSame(int mine, int others, int size) {
    return size <= 0
        || Arrays.equals(
            one.reader.array(), mine, mine + size, other.reader.array(), others, others + size);
  }

  @Override
  public void close() {
    one.reader.close();
    other.reader.close();
  }
}
