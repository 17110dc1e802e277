// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A check of a part of a segment that reads the file. Reads a window per call, so that the caller
 * can stop or slow down in between. Not thread-safe.
 */
final class SegmentCheck {
  private final BatchCheck batches;
  private final BatchWindow window = new BatchWindow();
  private @Nullable FileChannel channel;
  private long position;
  private long end;
  private int need;

  SegmentCheck(BatchCheck batches) {
    this.batches = batches;
  }

  /**
   * Starts a part of a segment.
   *
   * @param file the file
   * @param from the position of the first batch
   * @param to the position after the last batch
   */
  void open(Path file, long from, long to) throws IOException {
    close();
    channel = FileChannel.open(file, StandardOpenOption.READ);
    position = from;
    end = to;
    need = BatchCheck.PREFIX_BYTES;
  }

  /** {@return the position of the next byte to check} */
  long position() {
    return position;
  }

  /** {@return true if there is nothing left to check} */
  boolean isDone() {
    return position >= end;
  }

  /**
   * Reads the next window and checks the batches that end in it. After a batch without a sound
   * frame, nothing is left to check.
   *
   * @return how many bytes were read
   */
  int advance() throws IOException {
    FileChannel file = channel;
    if (file == null) {
      throw new IllegalStateException("no segment is open");
    }
    int least = (int) Math.min(need, end - position);
    ByteBuffer buffer = window.read(file, position, least, end);
    int read = buffer.limit();
    need = batches.check(buffer, position, end);
    position = batches.isLost() ? end : position + buffer.position();
    return read;
  }

  /** Closes the file. The check can be used again. */
  void close() throws IOException {
    window.shrink();
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }
}
