// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A few aligned pieces of the segment that is read, in memory.
 *
 * <p>Each byte is read twice, first by the walk and then by the check of a slice. Reads past the
 * page cache would go to the disk twice. All pieces together are larger than a slice.
 *
 * <p>Confined to one thread.
 */
final class Chunks {
  static final int CHUNK_BYTES = 1 << 19;
  private static final int COUNT = 8;

  /** Suits all devices. */
  private static final int ALIGNMENT = 1 << 12;

  /** A file that is read piece by piece. */
  interface Source {
    /**
     * Reads bytes into an empty buffer until it is full or the file ends.
     *
     * @param position a multiple of {@link #blockBytes}, as is the size of the buffer
     */
    void fill(ByteBuffer target, long position) throws IOException;

    /** Returns the unit of reads in bytes, a power of 2 up to {@value #CHUNK_BYTES}. */
    int blockBytes();
  }

  private static final class Chunk {
    private final ByteBuffer bytes =
        ByteBuffer.allocateDirect(CHUNK_BYTES + ALIGNMENT)
            .alignedSlice(ALIGNMENT)
            .slice(0, CHUNK_BYTES);

    private Object owner = this;
    private long start;
    private int filled;
    private long used;

    private boolean holds(Source source, long position) {
      return owner == source && position >= start && position < start + filled;
    }
  }

  private final Chunk[] chunks = new Chunk[COUNT];
  private long uses;

  Chunks() {
    for (int i = 0; i < COUNT; i++) {
      chunks[i] = new Chunk();
    }
  }

  /** Fills a buffer with the bytes from a position on. Fails if the file has fewer bytes. */
  void read(Source source, ByteBuffer target, long position) throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      Chunk chunk = chunk(source, at, target.remaining());
      int from = (int) (at - chunk.start);
      int count = Math.min(target.remaining(), chunk.filled - from);
      target.put(chunk.bytes.slice(from, count));
      at += count;
    }
  }

  private Chunk chunk(Source source, long at, int need) throws IOException {
    Chunk oldest = chunks[0];
    for (Chunk chunk : chunks) {
      if (chunk.holds(source, at)) {
        chunk.used = ++uses;
        return chunk;
      }
      oldest = chunk.used < oldest.used ? chunk : oldest;
    }
    load(oldest, source, at, need);
    oldest.used = ++uses;
    return oldest;
  }

  /** Reads a whole piece. If that fails, reads the needed blocks, which may precede a bad one. */
  private static void load(Chunk chunk, Source source, long at, int need) throws IOException {
    try {
      fill(chunk, source, at - at % CHUNK_BYTES, CHUNK_BYTES);
    } catch (EOFException shorter) {
      throw shorter;
    } catch (IOException e) {
      int block = source.blockBytes();
      int before = (int) (at % block);
      long bytes = Math.min(CHUNK_BYTES, (long) before + need);
      fill(chunk, source, at - before, (int) ((bytes + block - 1) / block * block));
    }
    if (!chunk.holds(source, at)) {
      throw ScrubSegment.shorter(chunk.start + chunk.filled);
    }
  }

  private static void fill(Chunk chunk, Source source, long start, int bytes) throws IOException {
    chunk.owner = chunk; // the read may fail
    chunk.bytes.clear().limit(bytes);
    source.fill(chunk.bytes, start);
    chunk.start = start;
    chunk.filled = chunk.bytes.position();
    chunk.bytes.clear();
    chunk.owner = source;
  }

  /** Forgets what was read of a file, because the file was closed or may have changed. */
  void forget(Source source) {
    for (Chunk chunk : chunks) {
      if (chunk.owner == source) {
        chunk.owner = chunk;
      }
    }
  }
}
