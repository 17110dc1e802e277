// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.FileState;
import io.github.batchvalidator.audit.source.KnownFiles;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.SearchNotes;
import io.github.batchvalidator.audit.source.SegmentNames;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.spark.inventory.TieredInventory.TieredPartition;
import io.github.batchvalidator.spark.storage.Folder;
import io.github.batchvalidator.spark.storage.HadoopDirectory;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * A list of the segments to check, in the order of {@code ./check}: the tiered partitions by name,
 * then what a search of the named directories finds, then other named files.
 *
 * <p>The heap grows with the number of segments: by the name of a local segment, and by the names
 * of all objects of a tiered one.
 */
public final class Inventory {
  private final Storage storage;
  private final BiConsumer<String, String> problems;
  private final TieredInventory tiered;
  private final List<LogRef> logs = new ArrayList<>();

  /** The named files, which wait until all directories are searched. */
  private final List<LogRef> named = new ArrayList<>();

  private final SearchNotes notes = new SearchNotes();

  /** The names of the files of other machines by the path of their directory. */
  private final Map<String, Set<String>> known = new HashMap<>();

  private final KnownFiles knownLocal = new KnownFiles();

  /**
   * Creates an empty list.
   *
   * @param storage the file systems
   * @param keys decrypt segments that are encrypted
   * @param problems receives the name of each path that cannot be read, and the cause
   */
  public Inventory(Storage storage, DataKeys keys, BiConsumer<String, String> problems) {
    this.storage = storage;
    this.problems = problems;
    tiered = new TieredInventory(storage, keys, problems);
  }

  /** Adds the segments that a tiered storage keeps below a directory. */
  public void addTiered(String typed) {
    String name = Storage.clean(typed);
    try {
      Path path = storage.path(name);
      if (!status(path).isDirectory()) {
        problems.accept(name, "no such directory");
        return;
      }
      if (!tiered.add(new Folder(name, path.toString()), "")) {
        problems.accept(name, "contains no segments of a tiered storage");
      }
    } catch (IOException | IllegalArgumentException e) {
      IOException why = e instanceof IOException io ? io : new IOException(e.getMessage(), e);
      problems.accept(name, Messages.of(why));
    }
  }

  private FileStatus status(Path path) throws IOException {
    try {
      return storage.of(path).getFileStatus(path);
    } catch (IOException e) {
      throw Storage.asLocal(path, e);
    }
  }

  /** Adds a file, or the segments below a directory in name order. */
  public void add(String typed) {
    String name = Storage.clean(typed);
    if (name.isEmpty()) { // an unset shell variable rather than the current directory
      problems.accept("\"\"", "empty path");
      return;
    }
    try {
      Path path = storage.path(name);
      FileStatus status = status(path);
      if (status.isDirectory()) {
        addBelow(new Folder(name, path.toString()));
      } else if (SegmentNames.isOther(path.getName())) {
        notes.skipped(name);
      } else {
        addNamed(name, path, status);
      }
    } catch (IOException e) {
      problems.accept(name, Messages.of(e));
    } catch (IllegalArgumentException e) {
      problems.accept(name, "invalid path: " + e.getMessage());
    }
  }

  private void addNamed(String name, Path path, FileStatus status) throws IOException {
    int slash = name.lastIndexOf('/');
    String parent = slash < 0 ? "" : name.substring(0, Math.max(1, slash));
    Folder folder = new Folder(parent, String.valueOf(path.getParent()));
    java.nio.file.Path local = Storage.local(path);
    FileState state = local == null ? null : FileState.of(local);
    named.add(new LogRef(folder, path.getName(), status.getLen(), state, false));
  }

  private void addBelow(Folder top) throws IOException {
    for (LogRef log : new SegmentSearch(storage, tiered, problems).below(top)) {
      notes.searched(new HadoopDirectory(storage, log.folder()), log.fileName());
      addFile(log);
    }
  }

  /** Adds the named files that no search has found. */
  private void endSearch() {
    for (LogRef file : named) {
      if (addFile(file)) {
        notes.named(new HadoopDirectory(storage, file.folder()), file.fileName());
      }
    }
    named.clear();
  }

  private boolean addFile(LogRef ref) {
    try {
      return isNew(ref) && logs.add(ref);
    } catch (NoSuchFileException gone) {
      // A broker has deleted the file since it was found.
    } catch (IOException e) {
      problems.accept(ref.name(), Messages.of(e));
    }
    return false;
  }

  private boolean isNew(LogRef ref) throws IOException {
    String directory = ref.folder().uri();
    java.nio.file.Path local = Storage.local(new Path(directory));
    return local == null
        ? known.computeIfAbsent(directory, each -> new HashSet<>()).add(ref.fileName())
        : knownLocal.add(local.resolve(ref.fileName()));
  }

  /** Returns the paths that are not checked, or not as partitions. */
  public SearchNotes notes() {
    endSearch();
    return notes;
  }

  /** Returns the number of segments. */
  public int segments() {
    endSearch();
    return logs.size()
        + tiered.partitions().stream().mapToInt(each -> each.segments().size()).sum();
  }

  /** Returns the number of bytes to read. */
  public long bytes() {
    endSearch();
    long bytes = logs.stream().mapToLong(LogRef::size).sum();
    for (TieredPartition each : tiered.partitions()) {
      bytes += each.segments().stream().mapToLong(TieredRef::size).sum();
    }
    return bytes;
  }

  /**
   * Adds the work of all segments, in the order of the report.
   *
   * @param plan takes the work
   */
  public void plan(TaskPlan plan) {
    endSearch();
    for (TieredPartition each : tiered.partitions()) {
      plan.announce(new TieredGroup(each.root(), each.objects(), local(each.partition())));
      each.segments().forEach(plan::add);
    }
    @Nullable Folder partition = null;
    for (LogRef log : logs) {
      boolean isOfPartition = log.isOfPartition() && partition(log.folder()) != null;
      if (isOfPartition && !log.folder().equals(partition)) {
        partition = log.folder();
        plan.startGroup();
      }
      plan.add(log);
    }
  }

  /**
   * Returns the directories of partitions, in the order of the report. A file that was named is a
   * problem.
   */
  Set<Folder> partitions() {
    endSearch();
    Set<Folder> found = new LinkedHashSet<>();
    for (LogRef log : logs) {
      if (log.isOfPartition() && partition(log.folder()) != null) {
        found.add(log.folder());
      } else if (!log.searched()) {
        problems.accept(log.name(), "not a directory");
      }
    }
    return found;
  }

  private @Nullable Partition partition(Folder folder) {
    return PartitionDirectory.of(new HadoopDirectory(storage, folder));
  }

  /** Returns the first segment of each directory of a broker with the same partition. */
  private List<LogRef> local(Partition partition) {
    List<LogRef> found = new ArrayList<>();
    @Nullable Folder before = null;
    for (LogRef log : logs) {
      if (!log.folder().equals(before) && log.isOfPartition()) {
        before = log.folder();
        Partition other = partition(before);
        if (other != null
            && other.topic().equals(partition.topic())
            && other.number() == partition.number()) {
          found.add(log);
        }
      }
    }
    return found;
  }
}
