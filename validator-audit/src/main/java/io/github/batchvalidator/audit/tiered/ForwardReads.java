// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import io.github.batchvalidator.audit.source.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a log by several threads at once, through streams that only move forward.
 *
 * <p>Each thread reads mostly forward, so streams that stopped are kept for the next read. Thus an
 * object is requested a few times, rather than once per read. Thread-safe.
 */
final class ForwardReads implements Closeable {
  private static final int MAX_IDLE = 6;
  private static final int BUFFER_BYTES = 1 << 16;

  private final Log log;
  private final long maxSkip;
  private final List<Cursor> idle = new ArrayList<>();

  /** A log that can be opened at any position. */
  @FunctionalInterface
  interface Log {
    /** Opens the log. The caller closes the stream. */
    InputStream open(long position) throws IOException;
  }

  /**
   * Creates reads that have no stream yet.
   *
   * @param log the log
   * @param maxSkip the number of bytes up to which skipping is cheaper than opening
   */
  ForwardReads(Log log, long maxSkip) {
    this.log = log;
    this.maxSkip = maxSkip;
  }

  /** A stream and its position. */
  private static final class Cursor implements Closeable {
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private long position;

    Cursor(InputStream in, long position) {
      this.in = in;
      this.position = position;
    }

    void fill(ByteBuffer target) throws IOException {
      while (target.hasRemaining()) {
        int bytes = in.read(buffer, 0, Math.min(buffer.length, target.remaining()));
        if (bytes < 0) {
          throw Segment.shorter(position);
        }
        target.put(buffer, 0, bytes);
        position += bytes;
      }
    }

    /** Reads bytes into an array that grows with the bytes that exist. */
    ByteBuffer take(int bytes) throws IOException {
      byte[] read = in.readNBytes(bytes);
      position += read.length;
      if (read.length < bytes) {
        throw Segment.shorter(position);
      }
      return ByteBuffer.wrap(read);
    }

    void skipTo(long to) throws IOException {
      in.skipNBytes(to - position);
      position = to;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** Fills a buffer with the bytes from a position on. */
  void read(ByteBuffer target, long position) throws IOException {
    Cursor cursor = at(position);
    try {
      cursor.fill(target);
    } catch (IOException | RuntimeException | Error e) {
      cursor.close();
      throw e;
    }
    keep(cursor);
  }

  /** Returns the bytes of a range. */
  ByteBuffer take(long position, int bytes) throws IOException {
    try (Cursor cursor = at(position)) {
      return cursor.take(bytes);
    }
  }

  private Cursor at(long position) throws IOException {
    Cursor cursor = takeIdle(position);
    if (cursor == null) {
      return new Cursor(log.open(position), position);
    }
    try {
      cursor.skipTo(position);
      return cursor;
    } catch (IOException | RuntimeException | Error e) {
      cursor.close();
      throw e;
    }
  }

  /** Returns the idle stream that is closest before a position, or null if none is close. */
  private synchronized @Nullable Cursor takeIdle(long position) {
    Cursor best = null;
    for (Cursor cursor : idle) {
      long skip = position - cursor.position;
      if (skip >= 0 && skip <= maxSkip && (best == null || cursor.position > best.position)) {
        best = cursor;
      }
    }
    if (best != null) {
      idle.remove(best);
    }
    return best;
  }

  private void keep(Cursor cursor) throws IOException {
    Cursor eldest = null;
    synchronized (this) {
      idle.add(cursor);
      if (idle.size() > MAX_IDLE) {
        eldest = idle.remove(0);
      }
    }
    if (eldest != null) {
      eldest.close();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    for (Cursor cursor : idle) {
      cursor.close();
    }
    idle.clear();
  }
}
