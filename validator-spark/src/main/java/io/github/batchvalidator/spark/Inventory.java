// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.FileState;
import io.github.batchvalidator.audit.source.KnownFiles;
import io.github.batchvalidator.audit.source.LocalSearch;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.SearchNotes;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentNames;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * A list of the segments to check, in the order of {@code ./check}: the tiered partitions by name,
 * then the named files and directories.
 *
 * <p>The heap grows with the number of segments: by the name of a local segment, and by the names
 * of all objects of a tiered one.
 */
final class Inventory {
  private final Storage storage;
  private final DataKeys keys;
  private final BiConsumer<String, String> problems;
  private final TreeMap<String, Tiered> tiered = new TreeMap<>();
  private final List<LogRef> logs = new ArrayList<>();
  private final SearchNotes notes = new SearchNotes();

  /** The names of the files of other machines by the path of their directory. */
  private final Map<String, Set<String>> known = new HashMap<>();

  private final KnownFiles knownLocal = new KnownFiles();

  /** A tiered partition, and its segments in order. */
  private record Tiered(
      Folder root, List<ListedObject> objects, Partition partition, List<TieredRef> segments) {}

  /**
   * Creates an empty list.
   *
   * @param storage the file systems
   * @param keys decrypt segments that are encrypted
   * @param problems receives the name of each path that cannot be read, and the cause
   */
  Inventory(Storage storage, DataKeys keys, BiConsumer<String, String> problems) {
    this.storage = storage;
    this.keys = keys;
    this.problems = problems;
  }

  // ---- tiered storages

  /** Adds the segments that a tiered storage keeps below a directory. */
  void addTiered(String typed) {
    String name = clean(typed);
    try {
      Path path = path(name);
      if (!storage.of(path).getFileStatus(path).isDirectory()) {
        problems.accept(name, "no such directory");
        return;
      }
      int before = tiered.size();
      addTiered(new Folder(name, path.toString()), "");
      if (tiered.size() == before) {
        problems.accept(name, "contains no segments of a tiered storage");
      }
    } catch (IOException | IllegalArgumentException e) {
      IOException why = e instanceof IOException io ? io : new IOException(e.getMessage(), e);
      problems.accept(name, Messages.of(Storage.asLocal(new Path("/"), why)));
    }
  }

  private void addTiered(Folder root, String below) {
    HadoopObjects store = new HadoopObjects(storage, root);
    Map<String, List<ListedObject>> directories = new TreeMap<>();
    Map<String, String> names = new HashMap<>();
    try {
      store.list(
          below,
          (key, bytes) -> {
            int slash = key.lastIndexOf('/');
            String directory = slash < 0 ? "" : key.substring(0, slash);
            String shared = names.computeIfAbsent(directory, each -> each);
            directories
                .computeIfAbsent(shared, each -> new ArrayList<>())
                .add(new ListedObject(shared, key.substring(slash + 1), bytes));
          });
    } catch (IOException e) {
      problems.accept(store.name(below), Messages.of(e));
    }
    directories.forEach((directory, objects) -> addPartition(root, directory, objects));
  }

  private void addPartition(Folder root, String directory, List<ListedObject> objects) {
    String name = root.child(directory);
    if (!TieredFiles.isPartition(directory) || tiered.containsKey(name)) {
      return;
    }
    List<Segment> segments = KnownObjects.files(storage, root, objects, keys).segments();
    if (segments.isEmpty()) {
      return;
    }
    Map<String, List<ListedObject>> bySegment = new HashMap<>();
    objects.forEach(
        object ->
            bySegment.computeIfAbsent(stem(object.name()), each -> new ArrayList<>()).add(object));
    List<ListedObject> first = bySegment.get(stem(segments.get(0)));
    List<TieredRef> refs = new ArrayList<>();
    for (Segment segment : segments) {
      List<ListedObject> own = bySegment.getOrDefault(stem(segment), List.of());
      List<ListedObject> needed = new ArrayList<>(own);
      if (first != null && !own.equals(first)) {
        needed.addAll(first);
      }
      long size =
          own.stream()
              .filter(object -> object.name().endsWith(SegmentNames.EXTENSION))
              .mapToLong(ListedObject::bytes)
              .findFirst()
              .orElse(0);
      refs.add(new TieredRef(root, needed, segment.name(), size));
    }
    Partition partition = segments.get(0).partition();
    if (partition != null) {
      tiered.put(name, new Tiered(root, objects, partition, refs));
    }
  }

  private static String stem(Segment segment) {
    return stem(segment.name().substring(segment.name().lastIndexOf('/') + 1));
  }

  /** Returns the part of a name that the objects of a segment have in common. */
  private static String stem(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  // ---- directories of brokers

  /** Adds a file, or the segments below a directory in name order. */
  void add(String typed) {
    String name = clean(typed);
    if (name.isEmpty()) { // an unset shell variable rather than the current directory
      problems.accept("\"\"", "empty path");
      return;
    }
    try {
      Path path = path(name);
      FileStatus status = storage.of(path).getFileStatus(path);
      if (status.isDirectory()) {
        addBelow(new Folder(name, path.toString()));
      } else if (SegmentNames.isOther(path.getName())) {
        notes.skipped(name);
      } else {
        addNamed(name, path, status);
      }
    } catch (IOException e) {
      problems.accept(name, Messages.of(Storage.asLocal(new Path(name), e)));
    } catch (IllegalArgumentException e) {
      problems.accept(name, "invalid path: " + e.getMessage());
    }
  }

  /** Returns a path as the JDK would print it. */
  private static String clean(String typed) {
    String name = typed.replaceAll("(?<![:/])/{2,}", "/");
    boolean hasTail = name.length() > 1 && name.endsWith("/") && !name.matches(".*:/{1,3}");
    return hasTail ? name.substring(0, name.length() - 1) : name;
  }

  private Path path(String name) throws IOException {
    Path path = new Path(name);
    FileSystem fileSystem = storage.of(path);
    return fileSystem.makeQualified(path);
  }

  private void addNamed(String name, Path path, FileStatus status) throws IOException {
    int slash = name.lastIndexOf('/');
    String parent = slash < 0 ? "" : name.substring(0, Math.max(1, slash));
    Folder folder = new Folder(parent, String.valueOf(path.getParent()));
    notes.named(new HadoopDirectory(storage, folder), path.getName());
    java.nio.file.Path local = Storage.local(path);
    FileState state = local == null ? null : FileState.of(local);
    addFile(new LogRef(folder, path.getName(), status.getLen(), state, false));
  }

  private void addFile(LogRef ref) {
    try {
      if (isNew(ref)) {
        logs.add(ref);
      }
    } catch (NoSuchFileException gone) {
      // A broker has deleted the file since it was found.
    } catch (IOException e) {
      problems.accept(ref.name(), Messages.of(e));
    }
  }

  private boolean isNew(LogRef ref) throws IOException {
    String directory = ref.folder().uri();
    java.nio.file.Path local = Storage.local(new Path(directory));
    return local == null
        ? known.computeIfAbsent(directory, each -> new HashSet<>()).add(ref.fileName())
        : knownLocal.add(local.resolve(ref.fileName()));
  }

  private void addBelow(Folder top) throws IOException {
    Search search = new Search();
    java.nio.file.Path local = Storage.local(new Path(top.uri()));
    if (local == null) {
      search.visit(top);
    } else {
      search.visitLocal(top, local);
    }
    search.found.sort(Comparator.comparing(LogRef::name));
    search.found.forEach(this::addFile);
    if (search.found.isEmpty() && !search.taken && !search.failed) {
      problems.accept(top.name(), "contains no *" + SegmentNames.EXTENSION + " file");
    }
  }

  /** A search of a directory for segments. */
  private final class Search {
    private final List<LogRef> found = new ArrayList<>();
    private boolean failed;

    /** True if a directory was not entered, because it is one of a tiered storage. */
    private boolean taken;

    /** Searches a directory of this machine by the rules of {@code ./check}. */
    void visitLocal(Folder top, java.nio.file.Path local) throws IOException {
      new LocalSearch(
              directory -> isTiered(below(top, local, directory)),
              new LocalSearch.Sink() {
                @Override
                public void found(java.nio.file.Path directory, String name, long size) {
                  takeLocal(below(top, local, directory), directory.resolve(name));
                }

                @Override
                public void problem(java.nio.file.Path file, String why) {
                  failed = true;
                  problems.accept(below(top, local, file).name(), why);
                }
              })
          .below(local);
    }

    private void takeLocal(Folder folder, java.nio.file.Path file) {
      FileState state = null;
      try {
        state = FileState.of(file);
      } catch (IOException e) {
        // The task runs into it again, and reports it in its place.
      }
      long size = state == null ? 0 : state.size();
      take(new LogRef(folder, String.valueOf(file.getFileName()), size, state, true));
    }

    private static Folder below(
        Folder top, java.nio.file.Path local, java.nio.file.Path directory) {
      String rest = local.relativize(directory).toString();
      return rest.isEmpty()
          ? top
          : new Folder(top.child(rest), new Path(new Path(top.uri()), rest).toString());
    }

    private void take(LogRef log) {
      notes.searched(new HadoopDirectory(storage, log.folder()));
      found.add(log);
    }

    private boolean isTiered(Folder folder) {
      String last = new Path(folder.uri()).getName();
      if (!TieredFiles.isPartition(last) && !TieredFiles.isPartition(last + "/0")) {
        return false;
      }
      List<Path> directories = new ArrayList<>();
      boolean hasObjects = false;
      try {
        for (FileStatus each : list(new Path(folder.uri()))) {
          if (each.isDirectory()) {
            directories.add(each.getPath());
          } else {
            hasObjects |= TieredFiles.isObject(each.getPath().getName());
          }
        }
        boolean isTiered = isTiered(folder, hasObjects, directories);
        taken |= isTiered;
        return isTiered;
      } catch (IOException e) { // the search runs into it again
        return false;
      }
    }

    void visit(Folder folder) {
      List<FileStatus> files = new ArrayList<>();
      List<Path> directories = new ArrayList<>();
      boolean hasObjects = false;
      try {
        for (FileStatus each : list(new Path(folder.uri()))) {
          if (each.isDirectory()) {
            directories.add(each.getPath());
          } else {
            hasObjects |= TieredFiles.isObject(each.getPath().getName());
            if (SegmentNames.isSearched(each.getPath().getName())) {
              files.add(each);
            }
          }
        }
        if (isTiered(folder, hasObjects, directories)) {
          taken = true;
          return;
        }
      } catch (IOException e) {
        failed = true;
        problems.accept(folder.name(), Messages.of(Storage.asLocal(new Path(folder.uri()), e)));
      }
      for (FileStatus file : files) {
        take(new LogRef(folder, file.getPath().getName(), file.getLen(), null, true));
      }
      for (Path each : directories) {
        visit(new Folder(folder.child(each.getName()), each.toString()));
      }
    }

    /** Adds the segments of a directory if it is one of a tiered storage. */
    private boolean isTiered(Folder folder, boolean hasObjects, List<Path> directories)
        throws IOException {
      Path path = new Path(folder.uri());
      String last = path.getName();
      boolean isTiered = TieredFiles.isPartition(last) && hasObjects;
      if (!isTiered && TieredFiles.isPartition(last + "/0")) {
        for (Path each : directories) {
          isTiered |= TieredFiles.isPartition(last + "/" + each.getName()) && hasObjects(each);
        }
      }
      if (isTiered) {
        String name = folder.name();
        String parent = name.length() == last.length() ? "" : parent(name, last);
        addTiered(new Folder(parent, String.valueOf(path.getParent())), last);
      }
      return isTiered;
    }

    private static String parent(String name, String last) {
      return name.substring(0, Math.max(1, name.length() - last.length() - 1));
    }

    private boolean hasObjects(Path directory) throws IOException {
      for (FileStatus each : list(directory)) {
        if (each.isFile() && TieredFiles.isObject(each.getPath().getName())) {
          return true;
        }
      }
      return false;
    }

    private List<FileStatus> list(Path directory) throws IOException {
      List<FileStatus> listed = new ArrayList<>();
      RemoteIterator<FileStatus> children = storage.of(directory).listStatusIterator(directory);
      while (children.hasNext()) {
        listed.add(children.next());
      }
      return listed;
    }
  }

  /** Returns the paths that are not checked, or not as partitions. */
  SearchNotes notes() {
    return notes;
  }

  // ---- work

  /** Returns the number of segments. */
  int segments() {
    return logs.size() + tiered.values().stream().mapToInt(each -> each.segments().size()).sum();
  }

  /** Returns the number of bytes to read. */
  long bytes() {
    long bytes = logs.stream().mapToLong(LogRef::size).sum();
    for (Tiered each : tiered.values()) {
      bytes += each.segments().stream().mapToLong(TieredRef::size).sum();
    }
    return bytes;
  }

  /**
   * Adds the work of all segments, in the order of the report.
   *
   * @param plan takes the work
   */
  void plan(SplitPlan plan) {
    for (Tiered each : tiered.values()) {
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
