// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is written from start to end, and is on disk when it is closed. */
final class NewFile implements Closeable {
  private final FileChannel channel;
  private final ByteBuffer pending;

  /**
   * Creates a file, which must not exist.
   *
   * @param buffer is used until the file is closed
   */
  NewFile(Path path, ByteBuffer buffer) throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    pending = buffer.clear();
  }

  /** Returns a buffer with room for some bytes, at most 64. */
  ByteBuffer room(int bytes) throws IOException {
    if (pending.remaining() < bytes) {
      flush();
    }
    return pending;
  }

  /** Writes the bytes between position and limit. */
  void write(ByteBuffer bytes) throws IOException {
    int left = bytes.remaining();
    int end = bytes.limit();
    while (left > 0) {
      int next = Math.min(left, room(1).remaining());
      bytes.limit(bytes.position() + next);
      pending.put(bytes);
      bytes.limit(end);
      left -= next;
    }
  }

  private void flush() throws IOException {
    pending.flip();
    while (pending.hasRemaining()) {
      channel.write(pending);
    }
    pending.clear();
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      try {
        flush();
        channel.force(true);
      } finally {
        channel.close();
      }
    }
  }
}
