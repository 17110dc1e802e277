// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/** The digests of many partitions, written to a file with several threads. */
public final class DigestRun {
  private static final String UNFINISHED = ".unfinished";

  private final List<PartitionDirectory> partitions;
  private final DigestMaker.Scope scope;
  private final BiConsumer<String, String> errors;
  private final LongConsumer progress;
  private long written;
  private boolean hasOffsets;
  private long faults;

  /** A digest, or none if the copy could not be read, and the files that could not be read. */
  private record Result(List<Digest> digests, long faults, List<String[]> errors) {}

  /**
   * Creates a run.
   *
   * @param partitions the copies; one of each partition is taken
   * @param rangeSize the number of offsets in a range
   * @param first the lowest offset to read
   * @param end the offset after the highest one to read
   * @param errors receives the name of each file that cannot be read, and the cause
   * @param progress receives the number of bytes done, from any thread
   */
  public DigestRun(
      List<PartitionDirectory> partitions,
      long rangeSize,
      long first,
      long end,
      BiConsumer<String, String> errors,
      LongConsumer progress) {
    Map<String, PartitionDirectory> byName = new TreeMap<>();
    for (PartitionDirectory partition : partitions) {
      PartitionDirectory other = byName.putIfAbsent(partition.directory(), partition);
      if (other != null) {
        errors.accept(partition.name(), "left out, another copy is in " + other.name());
      }
    }
    this.partitions = List.copyOf(byName.values());
    scope = new DigestMaker.Scope(rangeSize, first, end);
    this.errors = errors;
    this.progress = progress;
  }

  /**
   * Writes the file. It gets its name when it is complete and on disk. Fails if the file exists.
   */
  public void run(int threads, Path target) throws IOException, InterruptedException {
    if (Files.exists(target)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    try (OutputStream file =
            new BufferedOutputStream(
                Files.newOutputStream(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DSYNC));
        DigestWriter writer = new DigestWriter(file)) {
      new OrderedWork<Result>(partitions.size(), result -> finish(result, writer))
          .run(threads, () -> new Worker(CompareMemory.of(threads, 1)));
      writer.end();
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof UncheckedIOException unwritten) {
        throw unwritten.getCause();
      }
      throw e;
    }
    Files.move(unfinished, target);
  }

  private void finish(Result result, DigestWriter writer) {
    try {
      for (Digest digest : result.digests) {
        writer.write(digest);
        written++;
        hasOffsets |= digest.start() < digest.end() || !digest.ranges().isEmpty();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    faults += result.faults;
    result.errors.forEach(each -> errors.accept(each[0], each[1]));
  }

  /** Returns the number of partitions in the file. */
  public long written() {
    return written;
  }

  /** Returns true if a log has offsets to read, although it may have lost their batches. */
  public boolean hasOffsets() {
    return hasOffsets;
  }

  /** Returns the number of batches and parts that are damaged. */
  public long faults() {
    return faults;
  }

  /** What one thread uses. */
  private final class Worker implements OrderedWork.Worker<Result> {
    private final BatchInspector inspector = new BatchInspector();
    private final CompareMemory memory;

    private Worker(CompareMemory memory) {
      this.memory = memory;
    }

    @Override
    public Result work(int item) {
      List<String[]> unread = new ArrayList<>();
      BiConsumer<String, String> problems = (file, why) -> unread.add(new String[] {file, why});
      DigestMaker maker = new DigestMaker(scope, inspector, memory.window(0), progress, problems);
      List<Digest> digests = new ArrayList<>();
      try {
        digests.add(maker.make(new CopyFiles(partitions.get(item))));
      } catch (IOException | InternalError e) { // reads of truncated mappings throw InternalError
        problems.accept(partitions.get(item).name(), Messages.of(e));
      }
      return new Result(digests, maker.faults(), unread);
    }

    @Override
    public void close() {
      inspector.close();
    }
  }
}
