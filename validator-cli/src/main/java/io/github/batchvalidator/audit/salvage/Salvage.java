// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.salvage;

import io.github.batchvalidator.audit.report.SalvageSummary;
import io.github.batchvalidator.audit.report.SalvageSummary.Gap;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
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
    Path real = realPath(target);
    for (Path input : inputs) {
      if (real.startsWith(input)) {
        throw new IOException(target + " is inside of the input " + input);
      }
    }
    if (folders.contains(real)) {
      throw new IOException(target + " contains an input");
    }
  }

  /** Returns the real path of a directory, also if its last elements do not exist yet. */
  private static Path realPath(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    if (Files.exists(absolute)) {
      return absolute.toRealPath();
    }
    Path parent = absolute.getParent();
    return parent == null
        ? absolute
        : realPath(parent).resolve(String.valueOf(absolute.getFileName())).normalize();
  }

  /**
   * Writes the sound batches of a segment to a new file.
   *
   * <p>The file has the name that a broker gives the segment. It is below a directory with the name
   * of the partition if the segment is in one.
   */
  public SalvageSummary write(SalvagePlan plan) throws IOException {
    Segment segment = plan.segment();
    if (plan.kept().isEmpty()) {
      return summary(plan, "");
    }
    Path folder = directory.resolve(partition(segment));
    check(folder);
    Files.createDirectories(folder);
    check(folder);
    Path target = folder.resolve(segment.fileName());
    try {
      segment.openBytes();
      copy(segment, plan.kept(), target);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(target + " exists already and is not overwritten", e);
    } finally {
      segment.close();
    }
    return summary(plan, target.toString());
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
    try (FileChannel out =
        FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
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

  private static SalvageSummary summary(SalvagePlan plan, String target) {
    List<Gap> gaps = new ArrayList<>();
    Segment segment = plan.segment();
    long at = 0;
    long offset = segment.baseOffset();
    long bytes = 0;
    long batches = 0;
    for (SoundRange range : plan.kept()) {
      if (range.from() > at) {
        gaps.add(new Gap(at, range.from(), offset, range.firstOffset() - 1));
      }
      at = range.to();
      offset = range.lastOffset() + 1;
      bytes += range.bytes();
      batches += range.batches();
    }
    if (at < segment.size()) {
      gaps.add(new Gap(at, segment.size(), offset, SalvageSummary.END));
    }
    return new SalvageSummary(
        segment.name(),
        target,
        batches,
        bytes,
        plan.batches() - batches,
        segment.size() - bytes,
        gaps);
  }
}
