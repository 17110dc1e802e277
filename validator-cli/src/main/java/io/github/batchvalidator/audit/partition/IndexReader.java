// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A reader of the entries of an index, one after the other. Confined to one thread. */
final class IndexReader implements Closeable {
  private static final int BUFFER_BYTES = 1 << 14;

  private final BufferedInputStream in;
  private final byte[] entry;
  private long read;

  /** Opens an index whose entries have a number of bytes. */
  IndexReader(StoredFile file, int entryBytes) throws IOException {
    in = new BufferedInputStream(file.open(), BUFFER_BYTES);
    entry = new byte[entryBytes];
  }

  /** Reads the next entry, and returns false after the last one. */
  boolean next() throws IOException {
    if (in.readNBytes(entry, 0, entry.length) < entry.length) {
      return false;
    }
    read++;
    return true;
  }

  /** Returns the number of the entry, from 0. */
  long number() {
    return read - 1;
  }

  /** Returns the byte in the file where the entry starts. */
  long position() {
    return number() * entry.length;
  }

  /** Returns a view of the entry, valid until the next one. */
  ByteBuffer entry() {
    return ByteBuffer.wrap(entry);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
