// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A window over a segment file that moves forward, so that each byte is read once.
 *
 * <p>The buffer is direct, because the JDK would copy a heap buffer. Not thread-safe.
 */
final class ScanWindow {
  /**
   * Large enough that the number of reads does not count. Fits into the second-level cache, from
   * which the CRC is then computed.
   */
  static final int CAPACITY = 1 << 18;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(CAPACITY);
  private final CRC32C crc = new CRC32C();
  private @Nullable FileChannel channel;
  private int start;
  private int size;
  private int readAhead;

  ScanWindow() {
    buffer.limit(0);
  }

  /**
   * Starts at the beginning of a file.
   *
   * @param bytes the number of bytes that may be read
   * @param ahead the number of bytes to read at once, at most {@link #CAPACITY}
   */
  void open(FileChannel file, int bytes, int ahead) {
    channel = file;
    readAhead = ahead;
    size = bytes;
    start = 0;
    buffer.clear().limit(0);
  }

  /**
   * Returns the index in {@link #buffer} of a position in the file.
   *
   * @param position a position that is not before the previous one
   * @param bytes the number of bytes needed there, at most {@link #CAPACITY}
   * @throws EOFException if the file has fewer bytes
   */
  int at(int position, int bytes) throws IOException {
    int index = position - start;
    if (index >= 0 && index + (long) bytes <= buffer.limit()) {
      return index;
    }
    if (index >= 0 && index < buffer.limit()) {
      buffer.position(index);
      buffer.compact();
    } else {
      buffer.clear();
    }
    start = position;
    fill(bytes);
    return 0;
  }

  private void fill(int needed) throws IOException {
    int most = (int) Math.min(Math.max(readAhead, needed), (long) size - start);
    buffer.limit(Math.max(most, buffer.position()));
    FileChannel from = Objects.requireNonNull(channel);
    while (buffer.hasRemaining()) {
      int read = from.read(buffer, (long) start + buffer.position());
      if (read < 0) {
        break;
      }
    }
    buffer.flip();
    if (buffer.limit() < needed) {
      throw new EOFException("the segment ends before its size");
    }
  }

  /** {@return the bytes in the window; the caller must not change the position or limit} */
  ByteBuffer buffer() {
    return buffer;
  }

  /**
   * Returns the CRC-32C of a range of the file.
   *
   * @param from the first position, which is not before the last position that was asked for
   * @param to the position after the last one
   * @throws EOFException if the file has fewer bytes
   */
  int checksum(int from, int to) throws IOException {
    crc.reset();
    int position = from;
    while (position < to) {
      int index = at(position, 1);
      int end = Math.min(buffer.limit(), to - start);
      int limit = buffer.limit();
      buffer.limit(end).position(index);
      crc.update(buffer);
      buffer.limit(limit);
      position = start + end;
    }
    return (int) crc.getValue();
  }
}
