// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.FileState;
import io.github.batchvalidator.audit.source.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A segment that is read at a bounded rate, and past the page cache where that is possible, so that
 * it does not take the place of what consumers read.
 *
 * <p>A direct read makes the kernel write the dirty pages of its range first. So a segment that was
 * written to in the last minutes, such as most active segments, is read through the cache. Its
 * pages are there already.
 *
 * <p>Confined to one thread.
 */
final class ScrubSegment extends FileSegment implements Chunks.Source {
  /** Linux writes dirty pages after 30 seconds by default. */
  private static final long MAY_BE_DIRTY_MS = TimeUnit.MINUTES.toMillis(5);

  /** The option for direct reads, or null without such reads. */
  static final @Nullable OpenOption DIRECT = direct();

  /** The parts that all segments of a scrub share. */
  record Reads(Chunks chunks, Pace pace, ReadCounts counts, ScrubClock clock) {}

  private final Path path;
  private final Reads reads;
  private @Nullable FileChannel direct;
  private final int blockBytes;

  /**
   * Creates a segment.
   *
   * @param path the file
   * @param partition the partition, or null if the segment is checked by itself
   * @param blockBytes the unit of direct reads
   * @param reads what all segments of the scrub share
   */
  ScrubSegment(Path path, @Nullable Partition partition, int blockBytes, Reads reads) {
    super(path, partition, true);
    this.blockBytes = blockBytes;
    this.path = path;
    this.reads = reads;
  }

  @Override
  public void openBytes() throws IOException {
    FileState before = FileState.of(path);
    super.openBytes();
    boolean mayBeDirty = reads.clock.millis() - before.modifiedMs() < MAY_BE_DIRTY_MS;
    OpenOption option = mayBeDirty || before.size() == 0 ? null : DIRECT;
    direct = option == null ? null : openDirect(option, before);
    reads.counts.file(name(), readFrom());
  }

  /**
   * Returns the JDK's option for direct reads, or null if the JVM lacks it. Found by its name,
   * because a compiler of JDK 25 warns of each use.
   */
  private static @Nullable OpenOption direct() {
    try {
      for (Object each : Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (each instanceof OpenOption option && "DIRECT".equals(option.toString())) {
          return option;
        }
      }
    } catch (ClassNotFoundException e) {
      // a JVM without the module jdk.unsupported
    }
    return null;
  }

  /**
   * Opens the file for direct reads, and reads its first bytes. Returns null if the file system has
   * no such reads, or if the name leads to another file by now.
   */
  private @Nullable FileChannel openDirect(OpenOption option, FileState before) throws IOException {
    FileChannel opened = null;
    try {
      opened = FileChannel.open(path, StandardOpenOption.READ, option);
      direct = opened;
      reads.chunks.read(this, ByteBuffer.allocate(1), 0);
      if (FileState.of(path).inode() == before.inode()) {
        return opened;
      }
    } catch (IOException | UnsupportedOperationException notSupported) {
      // Bytes that cannot be read at all are reported by the reads that follow.
    }
    reads.chunks.forget(this);
    if (opened != null) {
      opened.close();
    }
    return null;
  }

  private ReadFrom readFrom() {
    return direct == null ? ReadFrom.CACHE : ReadFrom.DISK;
  }

  @Override
  public int blockBytes() {
    return blockBytes;
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    reads.chunks.read(this, target, position);
  }

  @Override
  public void fill(ByteBuffer target, long position) throws IOException {
    long bytes = Math.min(target.remaining(), Math.max(0, currentSize() - position));
    reads.pace.await(bytes);
    FileChannel channel = direct;
    if (channel == null) {
      super.read(target.limit((int) bytes), position);
    } else {
      fill(channel, target, position);
    }
    reads.counts.read(readFrom(), target.position());
  }

  /** Reads whole blocks. A read that ends within a block has reached the end of the file. */
  private void fill(FileChannel channel, ByteBuffer target, long position) throws IOException {
    try {
      int bytes = channel.read(target, position);
      while (bytes > 0 && target.hasRemaining() && target.position() % blockBytes == 0) {
        bytes = channel.read(target, position + target.position());
      }
    } catch (IOException e) {
      throw new IOException(Messages.of(e) + ", at byte " + (position + target.position()), e);
    }
  }

  /** Forgets the last bytes, of which a broker may have written only a part. */
  @Override
  protected long latestSize() throws IOException {
    reads.chunks.forget(this);
    return super.latestSize();
  }

  /** Maps the bytes through the cache: a batch of this size would not fit the memory. */
  @Override
  public ByteBuffer map(long position, int bytes) throws IOException {
    reads.pace.await(bytes);
    reads.counts.file(name(), ReadFrom.CACHE);
    reads.counts.read(ReadFrom.CACHE, bytes);
    return super.map(position, bytes);
  }

  @Override
  public void close() throws IOException {
    reads.chunks.forget(this);
    FileChannel opened = direct;
    try {
      super.close();
    } finally {
      if (opened != null) {
        opened.close();
      }
    }
  }
}
