// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.salvage;

import io.github.batchvalidator.audit.source.NewDirectory;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

/**
 * A writer of sound batches into new files below a directory.
 *
 * <p>It never writes into a directory that contains input, whatever links lead there, and never
 * overwrites a file.
 */
public final class Salvage {
  private static final int BUFFER_BYTES = 1 << 16;

  /** The end of the name of a file that is not complete. */
  private static final String UNFINISHED = ".unfinished";

  private final Path directory;
  private final List<Path> inputs;
  private final Set<Path> folders;

  /**
   * Creates a writer.
   *
   * @param directory the directory to write to, which may not exist yet
   * @param inputs the real paths of directories to keep away from, with all that is below them
   * @param folders the real paths of directories to keep away from, without what is below them
   */
  public Salvage(Path directory, List<Path> inputs, Set<Path> folders) {
    this.directory = directory;
    this.inputs = List.copyOf(inputs);
    this.folders = Set.copyOf(folders);
  }

  /** Fails if the directory is an input, or is below one. Creates nothing. */
  public void checkDirectory() throws IOException {
    check(directory);
  }

  private void check(Path target) throws IOException {
    Path real = NewDirectory.realPath(target);
    for (Path input : inputs) {
      if (real.startsWith(input)) {
        throw new IOException(target + " is inside of the input " + input);
      }
    }
    if (folders.contains(real)) {
      throw new IOException(target + " contains an input");
    }
  }

  /** A check of a new file before it gets its name. */
  @FunctionalInterface
  public interface Verification {
    /** Fails if the file is not clean. */
    void verify(Path file) throws IOException, InterruptedException;
  }

  /**
   * Writes the sound batches of a segment to a new file, and returns the path of the file.
   *
   * <p>The file has the name that a broker gives the segment. It is below a directory with the name
   * of the partition if the segment is in one. It has another name, which ends with {@value
   * #UNFINISHED}, until all of its bytes are on disk and verified. A run that is killed leaves at
   * most one such file.
   *
   * @param plan has at least one range to keep
   * @param verification decides whether the file gets its name; if it fails, the file is deleted
   */
  public Path write(SalvagePlan plan, Verification verification)
      throws IOException, InterruptedException {
    Segment segment = plan.segment();
    Path folder = directory.resolve(partition(segment));
    check(folder);
    Files.createDirectories(folder);
    check(folder);
    Path target = folder.resolve(segment.fileName());
    checkIsNew(target);
    Path unfinished = Files.createTempFile(folder, segment.fileName() + ".", UNFINISHED);
    try {
      segment.openBytes();
      copy(segment, plan.kept(), unfinished);
      verification.verify(unfinished);
      rename(unfinished, target);
    } finally {
      segment.close();
      Files.deleteIfExists(unfinished);
    }
    NewDirectory.sync(folder);
    return target;
  }

  private static void checkIsNew(Path target) throws IOException {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(target + " exists already and is not overwritten");
    }
  }

  /** Gives a file its name. A link fails if the name is in use, while a move may overwrite. */
  private static void rename(Path unfinished, Path target) throws IOException {
    try {
      Files.createLink(target, unfinished);
    } catch (UnsupportedOperationException | FileSystemException noLinks) {
      checkIsNew(target);
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Returns the name of the directory of the partition, or an empty text without one. */
  private static String partition(Segment segment) {
    Partition partition = segment.partition();
    if (partition != null) {
      return partition.directory();
    }
    Path parent = Path.of(segment.name()).toAbsolutePath().normalize().getParent();
    return segment.topic().isEmpty() || parent == null ? "" : String.valueOf(parent.getFileName());
  }

  private static void copy(Segment segment, List<SoundRange> kept, Path target) throws IOException {
    try (FileChannel out = FileChannel.open(target, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      for (SoundRange range : kept) {
        for (long at = range.from(); at < range.to(); at += buffer.limit()) {
          buffer.clear().limit((int) Math.min(buffer.capacity(), range.to() - at));
          segment.read(buffer, at);
          buffer.flip();
          while (buffer.hasRemaining()) {
            out.write(buffer);
          }
        }
      }
      out.force(true);
    }
  }
}
