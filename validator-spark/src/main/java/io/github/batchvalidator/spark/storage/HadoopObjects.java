// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.storage;

import io.github.batchvalidator.audit.tiered.ObjectStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The objects below a directory of a Hadoop file system.
 *
 * @param storage where the directory is
 * @param root the directory
 */
public record HadoopObjects(Storage storage, Folder root) implements ObjectStore {
  private Path path(String key) {
    Path top = new Path(root.uri());
    return key.isEmpty() ? top : Storage.child(top, key);
  }

  private record Found(String key, long bytes) {}

  /**
   * Lists recursively, which takes a store of objects one request for many directories. If that
   * fails, it lists directory by directory, to know which ones fail. The JDK lists a local
   * directory, because Hadoop leaves out files whose status it cannot read.
   */
  @Override
  public Map<String, IOException> list(String below, Visitor visitor) {
    java.nio.file.Path local = Storage.local(path(""));
    if (local != null) {
      return ObjectStore.local(local).list(below, visitor);
    }
    Map<String, IOException> unlisted = new TreeMap<>();
    try {
      listAll(below).forEach(found -> visitor.object(found.key(), found.bytes()));
    } catch (IOException e) {
      list(below, visitor, unlisted);
    }
    return unlisted;
  }

  private List<Found> listAll(String below) throws IOException {
    Path directory = path(below);
    int start = path("").toUri().getPath().length();
    List<Found> all = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files = storage.of(directory).listFiles(directory, true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      String key = file.getPath().toUri().getPath().substring(start);
      if (file.isFile()) {
        all.add(new Found(key.startsWith("/") ? key.substring(1) : key, file.getLen()));
      }
    }
    return all;
  }

  private void list(String below, Visitor visitor, Map<String, IOException> unlisted) {
    Path directory = path(below);
    List<String> directories = new ArrayList<>();
    try {
      RemoteIterator<FileStatus> children = storage.of(directory).listStatusIterator(directory);
      while (children.hasNext()) {
        FileStatus child = children.next();
        String name = child.getPath().getName();
        String key = below.isEmpty() ? name : below + "/" + name;
        if (child.isDirectory()) {
          directories.add(key);
        } else if (child.isFile()) {
          visitor.object(key, child.getLen());
        }
      }
    } catch (FileNotFoundException deleted) {
      // A broker deletes expired segments at any time.
    } catch (IOException e) {
      unlisted.put(below, Storage.asLocal(directory, e));
    }
    directories.forEach(each -> list(each, visitor, unlisted));
  }

  @Override
  public long size(String key) throws IOException {
    Path path = path(key);
    try {
      return storage.of(path).getFileStatus(path).getLen();
    } catch (IOException e) {
      throw Storage.asLocal(path, e);
    }
  }

  @Override
  public InputStream open(String key, long position) throws IOException {
    Path path = path(key);
    try {
      return opened(storage.of(path), path, position);
    } catch (IOException e) {
      throw Storage.asLocal(path, e);
    }
  }

  private static InputStream opened(FileSystem fileSystem, Path path, long position)
      throws IOException {
    FSDataInputStream in = fileSystem.open(path);
    try {
      in.seek(position);
      return in;
    } catch (IOException e) {
      try (in) {
        throw e;
      }
    }
  }

  @Override
  public String name(String key) {
    return root.child(key);
  }
}
