// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.storage;

import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.FileState;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;

/**
 * A segment in a file of a Hadoop file system.
 *
 * <p>The walk and the check of a slice read the same bytes. The last blocks are kept, so that each
 * byte is requested once. Confined to one thread.
 */
public final class HadoopSegment extends Segment {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int MAX_BLOCKS = 16;

  /** The number of blocks up to which reading is cheaper than another request. */
  private static final long MAX_SKIPPED_BLOCKS = 8;

  private final Storage storage;
  private final HadoopDirectory directory;
  private final long listedSize;
  private final @Nullable FileState state;
  private final boolean searched;
  private final Path path;
  private final @Nullable Partition partition;
  private final Map<Long, byte[]> blocks = new LinkedHashMap<>();
  private byte @Nullable [] spare;
  private @Nullable FileStatus known;
  private @Nullable FSDataInputStream in;
  private long nextBlock;

  /**
   * Creates a segment that is not open.
   *
   * @param size the size when it was listed; later bytes are not checked
   * @param state the file when it was listed, or null if it is not local
   * @param searched true if a search found the file, false if the user named it
   * @param partition the partition if its segments are compared with each other, or null
   */
  public HadoopSegment(
      HadoopDirectory directory,
      String fileName,
      long size,
      @Nullable FileState state,
      boolean searched,
      @Nullable Partition partition) {
    super(directory.folder().child(fileName), fileName);
    this.directory = directory;
    this.state = state;
    this.searched = searched;
    this.partition = partition;
    storage = directory.storage();
    listedSize = size;
    path = Storage.child(new Path(directory.folder().uri()), fileName);
  }

  @Override
  public @Nullable Partition partition() {
    return partition;
  }

  @Override
  public @Nullable StoredFile companion(Companion kind) {
    String companion = companionName(kind);
    return companion == null ? null : directory.file(companion);
  }

  @Override
  public String topic() {
    return PartitionDirectory.topic(directory);
  }

  /** Does nothing, because {@link #currentSize} fails if the file cannot be opened. */
  @Override
  public void openBytes() {}

  @Override
  public long currentSize() throws IOException {
    java.nio.file.Path local = Storage.local(path);
    if (local != null) {
      FileState.of(local); // fails for what cannot be read
    }
    FileStatus status = status();
    if (!Storage.isRegular(status)) {
      throw new IOException("not a regular file");
    }
    if (lookAgain() == Look.REPLACED) {
      throw new NoSuchFileException(path.toString());
    }
    if (status.getLen() < listedSize) {
      throw shorter(status.getLen());
    }
    known = status;
    return listedSize;
  }

  private FileStatus status() throws IOException {
    try {
      return storage.of(path).getFileStatus(path);
    } catch (IOException e) {
      throw Storage.asLocal(path, e);
    }
  }

  /** Returns the current size, and forgets the end of the file, which is read again. */
  @Override
  protected long latestSize() throws IOException {
    blocks.clear();
    FSDataInputStream opened = in;
    if (opened != null) {
      opened.close();
      in = null;
    }
    known = status();
    return known.getLen();
  }

  @Override
  public boolean isSearched() {
    return searched;
  }

  /** Looks only at a local file, which a broker may write to. Other file systems have copies. */
  @Override
  public Look lookAgain() {
    FileState listed = state;
    java.nio.file.Path local = Storage.local(path);
    return listed == null || local == null ? Look.SAME : listed.lookAgain(local, listedSize);
  }

  @Override
  public boolean isFresh() {
    java.nio.file.Path local = Storage.local(path);
    return local != null && FileState.isFresh(local);
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      long number = at / BLOCK_BYTES;
      byte[] block = block(number);
      int from = (int) (at - number * BLOCK_BYTES);
      int bytes = Math.min(target.remaining(), blockBytes(number) - from);
      if (bytes <= 0) {
        throw shorter(at);
      }
      target.put(block, from, bytes);
      at += bytes;
    }
  }

  private int blockBytes(long number) {
    return (int) Math.min(BLOCK_BYTES, size() - number * BLOCK_BYTES);
  }

  private byte[] block(long number) throws IOException {
    byte[] known = blocks.get(number);
    if (known != null) {
      return known;
    }
    boolean isAhead = number >= nextBlock && number - nextBlock <= MAX_SKIPPED_BLOCKS;
    byte[] block = read(isAhead ? nextBlock : number);
    while (nextBlock <= number) {
      block = read(nextBlock);
    }
    return block;
  }

  private byte[] read(long number) throws IOException {
    if (blocks.size() == MAX_BLOCKS) {
      long eldest = blocks.keySet().iterator().next();
      spare = blocks.remove(eldest);
    }
    int bytes = blockBytes(number);
    byte[] reused = spare;
    spare = null;
    byte[] block = reused != null && reused.length >= bytes ? reused : new byte[bytes];
    read(number * BLOCK_BYTES, block, bytes);
    blocks.put(number, block);
    nextBlock = number + 1;
    return block;
  }

  private void read(long position, byte[] target, int bytes) throws IOException {
    try {
      FSDataInputStream opened = in;
      if (opened == null) {
        // An object store asks for the status again unless it is given.
        opened =
            FutureIO.awaitFuture(storage.of(path).openFile(path).withFileStatus(known).build());
        in = opened;
      }
      if (opened.getPos() != position) {
        opened.seek(position);
      }
      opened.readFully(target, 0, bytes);
    } catch (IOException e) {
      checkNotShorter();
      throw Storage.asLocal(path, e);
    }
  }

  @Override
  public ByteBuffer map(long position, int bytes) throws IOException {
    byte[] target = new byte[bytes];
    read(position, target, bytes);
    return ByteBuffer.wrap(target);
  }

  @Override
  public void close() throws IOException {
    blocks.clear();
    FSDataInputStream opened = in;
    if (opened != null) {
      opened.close();
    }
  }
}
