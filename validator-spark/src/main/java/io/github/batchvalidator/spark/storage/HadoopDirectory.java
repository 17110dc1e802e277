// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.storage;

import io.github.batchvalidator.audit.source.Directory;
import io.github.batchvalidator.audit.source.FileState;
import io.github.batchvalidator.audit.source.LocalDirectory;
import io.github.batchvalidator.audit.source.LocalFile;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * A directory of a Hadoop file system. It is listed once if it is not local, because an object
 * store takes a request for each question. Confined to one thread.
 */
public final class HadoopDirectory implements Directory {
  private final Storage storage;
  private final Folder folder;
  private final Path path;
  private @Nullable Map<String, Long> listed;

  /** Why the directory cannot be listed. It is kept, so that {@link #files} fails, too. */
  private @Nullable IOException failure;

  public HadoopDirectory(Storage storage, Folder folder) {
    this.storage = storage;
    this.folder = folder;
    path = new Path(folder.uri());
  }

  public Folder folder() {
    return folder;
  }

  Storage storage() {
    return storage;
  }

  @Override
  public String name() {
    return folder.name();
  }

  @Override
  public String lastName() {
    return path.getName();
  }

  /** Looks for a local file each time, because a broker may write to the directory. */
  @Override
  public @Nullable StoredFile file(String name) {
    Path file = Storage.child(path, name);
    if (Storage.local(path) != null) {
      return regular(file, folder.child(name));
    }
    try {
      Long size = list().get(name);
      return size == null ? null : new HadoopFile(storage, file, folder.child(name), size);
    } catch (IOException e) { // files() fails, too
      return null;
    }
  }

  @Override
  public @Nullable StoredFile sibling(String name) {
    Path parent = path.getParent();
    if (parent == null) {
      return null;
    }
    Path file = Storage.child(parent, name);
    java.nio.file.Path local = Storage.local(file);
    return regular(file, local == null ? file.toString() : local.toString());
  }

  /** Returns a file, or null if it does not exist. After an error, opening the file fails, too. */
  private @Nullable StoredFile regular(Path file, String name) {
    java.nio.file.Path local = Storage.local(file);
    long size = 0;
    try {
      if (local == null) {
        FileStatus status = storage.of(file).getFileStatus(file);
        if (!Storage.isRegular(status)) {
          return null;
        }
        size = status.getLen();
      } else if (LocalFile.existing(local) == null) {
        return null;
      }
    } catch (FileNotFoundException missing) {
      return null;
    } catch (IOException e) {
      // Opening the file reports it.
    }
    return new HadoopFile(storage, file, name, size);
  }

  /** Lists a local directory each time, as {@code ./check} does. */
  @Override
  public List<String> files() throws IOException {
    java.nio.file.Path local = Storage.local(path);
    return local == null ? List.copyOf(list().keySet()) : new LocalDirectory(local).files();
  }

  /** Returns a segment with the bytes of now, or of when the directory was listed. */
  @Override
  public Segment segment(String name, Partition partition) {
    java.nio.file.Path local = Storage.local(Storage.child(path, name));
    FileState state = null;
    long size = 0;
    try {
      if (local == null) {
        size = list().getOrDefault(name, 0L);
      } else {
        state = FileState.of(local);
        size = state.size();
      }
    } catch (IOException e) {
      // Opening the segment fails, too, and that is reported.
    }
    return new HadoopSegment(this, name, size, state, true, partition);
  }

  private Map<String, Long> list() throws IOException {
    IOException failed = failure;
    if (failed != null) {
      throw failed;
    }
    Map<String, Long> found = listed;
    if (found == null) {
      found = new TreeMap<>();
      try {
        RemoteIterator<FileStatus> files = storage.of(path).listStatusIterator(path);
        while (files.hasNext()) {
          FileStatus file = files.next();
          if (Storage.isRegular(file)) {
            found.put(file.getPath().getName(), file.getLen());
          }
        }
      } catch (IOException e) {
        IOException why = Storage.asLocal(path, e);
        failure = why;
        throw why;
      }
      listed = found;
    }
    return found;
  }
}
