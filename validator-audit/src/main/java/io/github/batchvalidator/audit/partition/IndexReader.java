// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A reader of the entries of an index that looks one entry ahead. Confined to one thread. */
final class IndexReader implements Closeable {
  private static final int BUFFER_BYTES = 1 << 14;

  private final BufferedInputStream in;
  private byte[] entry;
  private byte[] ahead;
  private boolean hasNext;
  private long number;

  /** Opens an index at its first entry. Entries have a number of bytes. */
  IndexReader(StoredFile file, int entryBytes) throws IOException {
    this(file, entryBytes, 0);
  }

  /**
   * Opens an index.
   *
   * @param entryBytes the size of an entry
   * @param first the number of the first entry to read
   */
  IndexReader(StoredFile file, int entryBytes, long first) throws IOException {
    in = new BufferedInputStream(file.open(), BUFFER_BYTES);
    entry = new byte[entryBytes];
    ahead = new byte[entryBytes];
    number = first - 1;
    try {
      in.skip(first * entryBytes);
      read();
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private void read() throws IOException {
    hasNext = in.readNBytes(ahead, 0, ahead.length) == ahead.length;
  }

  /** Moves to the next entry, and returns false after the last one. */
  boolean next() throws IOException {
    if (!hasNext) {
      return false;
    }
    byte[] read = ahead;
    ahead = entry;
    entry = read;
    number++;
    read();
    return true;
  }

  /** Returns the number of the entry, from 0. */
  long number() {
    return number;
  }

  /** Returns a view of the entry, valid until the next one. */
  ByteBuffer entry() {
    return ByteBuffer.wrap(entry);
  }

  /** Returns true if an entry other than zeros follows. */
  boolean hasNext() {
    return hasNext && !isZero(ahead);
  }

  /** Returns a view of the entry after the current one. */
  ByteBuffer nextEntry() {
    return ByteBuffer.wrap(ahead);
  }

  /** Returns true if all bytes of the entry are 0. */
  boolean isZero() {
    return isZero(entry);
  }

  private static boolean isZero(byte... bytes) {
    for (byte each : bytes) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
