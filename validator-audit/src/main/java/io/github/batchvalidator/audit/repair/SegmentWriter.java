// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.source.Companion;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A writer of a segment and its indexes.
 *
 * <p>The indexes have the entries that a broker's recovery gives them. Source: {@code
 * LogSegment.recover} of Kafka, with the default of {@code index.interval.bytes}.
 */
final class SegmentWriter implements Closeable {
  static final int MAX_BYTES = Integer.MAX_VALUE;
  static final long MAX_RELATIVE_OFFSET = Integer.MAX_VALUE;

  private static final int INDEX_INTERVAL_BYTES = 4096;
  private static final int LOG_BUFFER_BYTES = 1 << 18;
  private static final int INDEX_BUFFER_BYTES = 1 << 12;
  private static final int ENTRY_BYTES = 64;

  private final Path directory;
  private final long base;
  private final NewFile log;
  private final NewFile index;
  private final NewFile timeIndex;
  private final Buffers buffers;
  private @Nullable NewFile txnIndex;
  private long size;
  private long lastEntry;
  private long maxTimestamp = -1;
  private long offsetOfMaxTimestamp = -1;
  private long indexedTimestamp = -1;

  /** The buffers of the files of a segment, which the next segment uses again. */
  static final class Buffers {
    private final ByteBuffer log = ByteBuffer.allocateDirect(LOG_BUFFER_BYTES);
    private final ByteBuffer index = ByteBuffer.allocateDirect(INDEX_BUFFER_BYTES);
    private final ByteBuffer timeIndex = ByteBuffer.allocateDirect(INDEX_BUFFER_BYTES);
    private final ByteBuffer txnIndex = ByteBuffer.allocateDirect(INDEX_BUFFER_BYTES);
  }

  /**
   * Creates the files.
   *
   * @param base the base offset
   */
  SegmentWriter(Path directory, long base, Buffers buffers) throws IOException {
    this.directory = directory;
    this.base = base;
    this.buffers = buffers;
    log = new NewFile(file(".log"), buffers.log);
    index = new NewFile(file(Companion.OFFSET_INDEX.suffix()), buffers.index);
    timeIndex = new NewFile(file(Companion.TIME_INDEX.suffix()), buffers.timeIndex);
  }

  private Path file(String suffix) {
    return directory.resolve(name(base, suffix));
  }

  /** Returns the name of a file that starts with an offset. */
  static String name(long offset, String suffix) {
    return String.format(Locale.ROOT, "%020d%s", offset, suffix);
  }

  long base() {
    return base;
  }

  long size() {
    return size;
  }

  /** Returns true if a batch can be in the segment. */
  boolean fits(int bytes, long last) {
    return size + bytes <= MAX_BYTES && last - base <= MAX_RELATIVE_OFFSET;
  }

  /**
   * Writes a batch.
   *
   * @param batch has the bytes between position and limit
   */
  void append(ByteBuffer batch, long last, long timestamp) throws IOException {
    int bytes = batch.remaining();
    if (timestamp > maxTimestamp) {
      maxTimestamp = timestamp;
      offsetOfMaxTimestamp = last;
    }
    if (size - lastEntry > INDEX_INTERVAL_BYTES) {
      index.room(ENTRY_BYTES).putInt((int) (last - base)).putInt((int) size);
      appendTimestamp();
      lastEntry = size;
    }
    log.write(batch);
    size += bytes;
  }

  private void appendTimestamp() throws IOException {
    if (maxTimestamp > indexedTimestamp) {
      int relative = (int) (offsetOfMaxTimestamp - base);
      timeIndex.room(ENTRY_BYTES).putLong(maxTimestamp).putInt(relative);
      indexedTimestamp = maxTimestamp;
    }
  }

  /** Adds an aborted transaction. */
  void aborted(long producer, long first, long last, long lastStable) throws IOException {
    NewFile entries = txnIndex;
    if (entries == null) {
      entries = new NewFile(file(Companion.TXN_INDEX.suffix()), buffers.txnIndex);
      txnIndex = entries;
    }
    ByteBuffer entry = entries.room(ENTRY_BYTES).putShort((short) 0).putLong(producer);
    entry.putLong(first).putLong(last).putLong(lastStable);
  }

  /** Closes all files, also if the disk is full. */
  @Override
  public void close() throws IOException {
    NewFile aborted = txnIndex;
    try (log;
        index;
        timeIndex;
        aborted) {
      appendTimestamp();
    }
  }
}
