// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream. Confined to one thread at a time. */
final class BoundedStream extends FilterInputStream {
  private long left;

  /**
   * Creates a view.
   *
   * @param in the stream
   * @param bytes the number of bytes after which the view ends
   */
  BoundedStream(InputStream in, long bytes) {
    super(in);
    left = bytes;
  }

  /** Returns the number of bytes that were not read yet. */
  long left() {
    return left;
  }

  @Override
  public int read() throws IOException {
    int next = left <= 0 ? -1 : super.read();
    left -= next < 0 ? 0 : 1;
    return next;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (left <= 0) {
      return length == 0 ? 0 : -1;
    }
    int bytes = super.read(target, offset, (int) Math.min(length, left));
    left -= Math.max(0, bytes);
    return bytes;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = super.skip(Math.min(bytes, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(super.available(), left);
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
