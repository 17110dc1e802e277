// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A source of text files in UTF-8 that together have a maximum size. It keeps a stamp of each file.
 * The bytes that are read count, so that a growing file cannot exceed the bound.
 */
final class BoundedText {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final int CHUNK = 1 << 13;

  private final long most;
  private final List<FileStamp> stamps = new ArrayList<>();
  private long left;

  /** Thrown if the text of a file is wrong. All other exceptions are about the file as a whole. */
  static final class TextException extends IOException {
    private static final long serialVersionUID = 1;

    private final int line;

    TextException(int line, String message) {
      super(message);
      this.line = line;
    }

    /** {@return the number of the line, or 0 for the whole text} */
    int line() {
      return line;
    }
  }

  /** Creates a source of files with at most so many bytes together. */
  BoundedText(long most) {
    this.most = most;
    left = most;
  }

  /** {@return the stamps of all files so far, including those that could not be read} */
  List<FileStamp> stamps() {
    return stamps;
  }

  /**
   * Reads a file and opens its text, behind its byte order mark if it has one.
   *
   * @throws TextException if the text is not UTF-8 or exceeds the bound
   * @throws IOException if the file cannot be read, or is not a regular file
   */
  BufferedReader open(Path file) throws IOException {
    byte[] content = content(file, Math.max(0, left));
    left -= content.length;
    if (left < 0) {
      throw new TextException(0, "there are more than " + most + " bytes to read");
    }
    requireUtf8(content);
    ByteArrayInputStream bytes = new ByteArrayInputStream(content);
    if (isMarked(content)) {
      bytes.skip(BYTE_ORDER_MARK.length);
    }
    return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
  }

  /** Takes the stamp of the very bytes that are parsed, so that no change meanwhile is missed. */
  private byte[] content(Path file, long limit) throws IOException {
    try {
      byte[] content = FileStamp.content(file, limit);
      stamps.add(FileStamp.of(file, limit, content));
      return content;
    } catch (IOException e) {
      stamps.add(FileStamp.unreadable(file, limit, e));
      throw e;
    }
  }

  private static boolean isMarked(byte[] content) {
    int length = BYTE_ORDER_MARK.length;
    return content.length >= length
        && Arrays.equals(content, 0, length, BYTE_ORDER_MARK, 0, length);
  }

  private static void requireUtf8(byte[] content) throws TextException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(content);
    CharBuffer out = CharBuffer.allocate(CHUNK);
    CoderResult result = CoderResult.OVERFLOW;
    while (result.isOverflow()) {
      out.clear();
      result = decoder.decode(in, out, true);
    }
    if (result.isError()) {
      String before = new String(content, 0, in.position(), StandardCharsets.UTF_8) + ".";
      throw new TextException((int) before.lines().count(), "a byte is not UTF-8");
    }
  }
}
