// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import io.github.batchvalidator.audit.report.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A segment in a file, opened for reading only. */
public class FileSegment extends Segment {
  private final Path path;
  private final @Nullable Partition partition;
  private final boolean searched;
  private @Nullable FileChannel channel;

  /** The file when it was opened, or null before. */
  private @Nullable FileState state;

  public FileSegment(Path path) {
    this(path, null, false);
  }

  /**
   * Creates a segment.
   *
   * @param path the file
   * @param partition the partition, or null if the segment is checked by itself
   * @param searched true if a search found the file
   */
  public FileSegment(Path path, @Nullable Partition partition, boolean searched) {
    super(path.toString(), String.valueOf(path.getFileName()));
    this.path = path;
    this.partition = partition;
    this.searched = searched;
  }

  @Override
  public boolean isSearched() {
    return searched;
  }

  @Override
  public @Nullable Partition partition() {
    return partition;
  }

  @Override
  public @Nullable StoredFile companion(Companion kind) {
    String companion = companionName(kind);
    return companion == null ? null : LocalFile.existing(path.resolveSibling(companion));
  }

  @Override
  public String topic() {
    Path folder = path.toAbsolutePath().normalize().getParent();
    return folder == null ? "" : PartitionDirectory.topic(new LocalDirectory(folder));
  }

  @Override
  public void openBytes() throws IOException {
    FileState before = FileState.of(path);
    channel = FileChannel.open(path, StandardOpenOption.READ);
    state = before;
  }

  @Override
  public Look lookAgain() {
    FileState before = state;
    return before == null ? FileState.look(path) : before.lookAgain(path, size());
  }

  @Override
  public boolean isFresh() {
    return FileState.isFresh(path);
  }

  @Override
  public long currentSize() throws IOException {
    return channel().size();
  }

  private FileChannel channel() throws IOException {
    FileChannel opened = channel;
    if (opened == null) {
      throw new IOException("not open");
    }
    return opened;
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    FileChannel opened = channel();
    long at = position;
    while (target.hasRemaining()) {
      int bytes = read(opened, target, at);
      if (bytes < 0) {
        throw shorter(at);
      }
      at += bytes;
    }
  }

  private static int read(FileChannel opened, ByteBuffer target, long at) throws IOException {
    try {
      return opened.read(target, at);
    } catch (IOException e) {
      throw new IOException(Messages.of(e) + ", at byte " + at, e);
    }
  }

  @Override
  public ByteBuffer map(long position, int bytes) throws IOException {
    long size = currentSize();
    if (size < position + bytes) {
      throw shorter(size);
    }
    return channel().map(FileChannel.MapMode.READ_ONLY, position, bytes);
  }

  @Override
  public void close() throws IOException {
    FileChannel opened = channel;
    if (opened != null) {
      opened.close();
    }
  }
}
