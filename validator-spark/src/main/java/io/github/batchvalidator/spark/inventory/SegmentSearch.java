// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.FileState;
import io.github.batchvalidator.audit.source.LocalSearch;
import io.github.batchvalidator.audit.source.SegmentNames;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import io.github.batchvalidator.spark.storage.Folder;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** A search of a directory for segments. What it finds of a tiered storage goes to another list. */
final class SegmentSearch {
  private final Storage storage;
  private final TieredInventory tiered;
  private final BiConsumer<String, String> problems;
  private final List<LogRef> found = new ArrayList<>();
  private boolean failed;

  /** True if a directory was not entered, because it is one of a tiered storage. */
  private boolean taken;

  SegmentSearch(Storage storage, TieredInventory tiered, BiConsumer<String, String> problems) {
    this.storage = storage;
    this.tiered = tiered;
    this.problems = problems;
  }

  /** Returns the segments below a directory, by name. Reports a directory that has none. */
  List<LogRef> below(Folder top) throws IOException {
    java.nio.file.Path local = Storage.local(new Path(top.uri()));
    if (local == null) {
      visit(top);
    } else {
      visitLocal(top, local);
    }
    if (found.isEmpty() && !taken && !failed) {
      problems.accept(top.name(), "contains no *" + SegmentNames.EXTENSION + " file");
    }
    found.sort(Comparator.comparing(LogRef::name));
    return found;
  }

  /** Searches a directory of this machine by the rules of {@code ./check}. */
  private void visitLocal(Folder top, java.nio.file.Path local) throws IOException {
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
    found.add(new LogRef(folder, String.valueOf(file.getFileName()), size, state, true));
  }

  private static Folder below(Folder top, java.nio.file.Path local, java.nio.file.Path directory) {
    String rest = local.relativize(directory).toString();
    return rest.isEmpty()
        ? top
        : new Folder(top.child(rest), Storage.child(new Path(top.uri()), rest).toString());
  }

  private boolean isTiered(Folder folder) {
    String last = new Path(folder.uri()).getName();
    if (!TieredFiles.isPartition(last) && !TieredFiles.isPartition(last + "/0")) {
      return false;
    }
    try {
      boolean isTiered = isTiered(folder, list(new Path(folder.uri())));
      taken |= isTiered;
      return isTiered;
    } catch (IOException e) { // the search runs into it again
      return false;
    }
  }

  private void visit(Folder folder) {
    List<FileStatus> children = List.of();
    try {
      children = list(new Path(folder.uri()));
      if (isTiered(folder, children)) {
        taken = true;
        return;
      }
    } catch (IOException e) {
      failed = true;
      problems.accept(folder.name(), Messages.of(Storage.asLocal(new Path(folder.uri()), e)));
    }
    for (FileStatus each : children) {
      String name = each.getPath().getName();
      if (!each.isDirectory() && SegmentNames.isSearched(name)) {
        found.add(new LogRef(folder, name, each.getLen(), null, true));
      }
    }
    for (FileStatus each : children) {
      if (each.isDirectory()) {
        visit(new Folder(folder.child(each.getPath().getName()), each.getPath().toString()));
      }
    }
  }

  /** Adds the segments of a directory if it is one of a tiered storage. */
  private boolean isTiered(Folder folder, List<FileStatus> children) throws IOException {
    Path path = new Path(folder.uri());
    String last = path.getName();
    boolean isTiered = TieredFiles.isPartition(last) && hasObjects(children);
    if (!isTiered && TieredFiles.isPartition(last + "/0")) {
      for (FileStatus each : children) {
        isTiered |=
            each.isDirectory()
                && TieredFiles.isPartition(last + "/" + each.getPath().getName())
                && hasObjects(list(each.getPath()));
      }
    }
    if (isTiered) {
      String name = folder.name();
      String parent = name.length() == last.length() ? "" : parent(name, last);
      tiered.add(new Folder(parent, String.valueOf(path.getParent())), last);
    }
    return isTiered;
  }

  private static String parent(String name, String last) {
    return name.substring(0, Math.max(1, name.length() - last.length() - 1));
  }

  private static boolean hasObjects(List<FileStatus> children) {
    for (FileStatus each : children) {
      if (!each.isDirectory() && TieredFiles.isObject(each.getPath().getName())) {
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
