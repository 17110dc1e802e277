// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream. Confined to one thread at a time. */
final class BoundedStream extends InputStream {
  private final InputStream in;
  private long left;

  /**
   * Creates a view.
   *
   * @param in the stream, which is closed together with this one
   * @param bytes the number of bytes after which the view ends
   */
  BoundedStream(InputStream in, long bytes) {
    this.in = in;
    left = bytes;
  }

  /** Returns the number of bytes that were not read yet. */
  long left() {
    return left;
  }

  @Override
  public int read() throws IOException {
    int next = left <= 0 ? -1 : in.read();
    left -= next < 0 ? 0 : 1;
    return next;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (left <= 0) {
      return length == 0 ? 0 : -1;
    }
    int bytes = in.read(target, offset, (int) Math.min(length, left));
    left -= Math.max(0, bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
