// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A source of text files in UTF-8 that together have a maximum size. The bytes that are read count,
 * so that a device or a growing file cannot exceed the bound.
 */
final class BoundedText {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final long most;
  private long left;

  /** Creates a source of files with at most so many bytes together. */
  BoundedText(long most) {
    this.most = most;
    left = most;
  }

  /**
   * Opens a file, behind its byte order mark if it has one.
   *
   * @throws IOException if the file cannot be read. The reader throws it too, for bytes that are
   *     not UTF-8 and for bytes beyond the bound
   */
  BufferedReader open(Path file) throws IOException {
    InputStream bytes = new Counting(Files.newInputStream(file));
    BufferedReader text =
        new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder()));
    try {
      text.mark(1);
      if (text.read() != BYTE_ORDER_MARK) {
        text.reset();
      }
    } catch (IOException e) {
      text.close();
      throw e;
    }
    return text;
  }

  private final class Counting extends FilterInputStream {
    Counting(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int count = super.read(to, offset, length);
      left -= Math.max(0, count);
      if (left < 0) {
        throw new IOException("there are more than " + most + " bytes to read");
      }
      return count;
    }
  }
}
