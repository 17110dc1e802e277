// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.storage;

import io.github.batchvalidator.audit.tiered.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.FSDataInputStream;
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
    return key.isEmpty() ? top : new Path(top, key);
  }

  @Override
  public void list(String below, Visitor visitor) throws IOException {
    Path directory = path(below);
    int start = path("").toUri().getPath().length();
    try {
      RemoteIterator<LocatedFileStatus> files = storage.of(directory).listFiles(directory, true);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        String key = file.getPath().toUri().getPath().substring(start);
        if (Storage.isRegular(file)) {
          visitor.object(key.startsWith("/") ? key.substring(1) : key, file.getLen());
        }
      }
    } catch (IOException e) {
      throw Storage.asLocal(directory, e);
    }
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
      FileSystem fileSystem = storage.of(path);
      FSDataInputStream in = fileSystem.open(path);
      in.seek(position);
      return in;
    } catch (IOException e) {
      throw Storage.asLocal(path, e);
    }
  }

  @Override
  public String name(String key) {
    return root.child(key);
  }
}
