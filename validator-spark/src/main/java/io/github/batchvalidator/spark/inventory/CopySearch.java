// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.audit.compare.CopySource;
import io.github.batchvalidator.audit.compare.DigestFile;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.spark.storage.Folder;
import io.github.batchvalidator.spark.storage.HadoopDirectory;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * A search for copies of partitions, as {@code ./check compare} makes it. The heap grows with the
 * number of segments and of partitions in digests.
 */
public final class CopySearch {
  private static final String DIGEST = ".digest";

  private final Storage storage;
  private final BiConsumer<String, String> problems;
  private final Inventory inventory;

  /** The digest files. Their names are not those of folders, but have the same parts. */
  private final List<Folder> digests = new ArrayList<>();

  private final Set<String> knownDigests = new HashSet<>();

  /**
   * Creates an empty search.
   *
   * @param storage the file systems
   * @param problems receives the name of each path that cannot be read, and the cause
   */
  public CopySearch(Storage storage, BiConsumer<String, String> problems) {
    this.storage = storage;
    this.problems = problems;
    inventory = new Inventory(storage, DataKeys.NONE, problems);
  }

  /** Adds a digest file, a directory of files named {@code *.digest}, or what a search finds. */
  public void add(String typed) {
    List<Folder> found = List.of();
    try {
      found = digests(Storage.clean(typed));
    } catch (IOException | IllegalArgumentException e) {
      // The search runs into it again.
    }
    found.stream().filter(each -> knownDigests.add(each.uri())).forEach(digests::add);
    if (found.isEmpty()) {
      inventory.add(typed);
    }
  }

  private List<Folder> digests(String name) throws IOException {
    Path path = storage.path(name);
    Folder named = new Folder(name, path.toString());
    FileStatus status = storage.of(path).getFileStatus(path);
    if (!status.isDirectory()) {
      boolean isDigest = Storage.isRegular(status) && DigestFile.isDigest(file(named));
      return isDigest ? List.of(named) : List.of();
    }
    List<String> files = new HadoopDirectory(storage, named).files();
    boolean areDigests = files.stream().allMatch(each -> each.endsWith(DIGEST));
    return areDigests && !hasDirectory(path)
        ? files.stream()
            .map(each -> new Folder(named.child(each), Storage.child(path, each).toString()))
            .toList()
        : List.of();
  }

  /** Returns true if a directory has others, such as partitions. */
  private boolean hasDirectory(Path path) throws IOException {
    RemoteIterator<FileStatus> children = storage.of(path).listStatusIterator(path);
    while (children.hasNext()) {
      if (children.next().isDirectory()) {
        return true;
      }
    }
    return false;
  }

  private StoredFile file(Folder digest) {
    return storage.file(digest.name(), digest.uri());
  }

  /** Returns the copies of each partition by its name: directories first, then digests. */
  public Map<String, List<CopyRef>> copies() {
    Map<String, List<CopyRef>> copies = new TreeMap<>();
    for (Folder folder : inventory.partitions()) {
      add(new CopyRef.InDirectory(folder), copies);
    }
    for (Folder file : digests) {
      try {
        for (CopySource.InDigest each : DigestFile.open(file(file)).partitions()) {
          add(
              new CopyRef.InDigest(file.name(), file.uri(), each.partition(), each.position()),
              copies);
        }
      } catch (IOException e) {
        problems.accept(file.name(), Messages.of(e));
      }
    }
    return copies;
  }

  private void add(CopyRef copy, Map<String, List<CopyRef>> copies) {
    copies.computeIfAbsent(copy.open(storage).partition(), any -> new ArrayList<>()).add(copy);
  }

  /** Returns the size of all segments. */
  public long bytes() {
    return inventory.bytes();
  }
}
