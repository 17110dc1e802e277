// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.spark.storage.Storage;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The files of this machine as those of another one. The list of a directory whose name starts with
 * {@code unlisted} fails at its end.
 */
public final class RemoteFiles extends RawLocalFileSystem {
  private static final URI ROOT = URI.create("remote:///");

  /** Returns a storage that has these files. */
  static Storage storage() {
    Configuration configuration = new Configuration();
    configuration.setClass("fs.remote.impl", RemoteFiles.class, FileSystem.class);
    return new Storage(configuration);
  }

  /** Returns the name of a local file. */
  static String name(java.nio.file.Path file) {
    return "remote:" + file;
  }

  @Override
  public URI getUri() {
    return ROOT;
  }

  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path directory) throws IOException {
    return new Children<>(directory) {
      @Override
      public FileStatus next() throws IOException {
        return children.next();
      }
    };
  }

  /** Lists the same children, without permissions: these are read from local paths only. */
  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path directory) throws IOException {
    return new Children<>(directory) {
      @Override
      public LocatedFileStatus next() throws IOException {
        FileStatus child = children.next();
        return new LocatedFileStatus(
            new FileStatus(child.getLen(), child.isDirectory(), 1, 1, 0, child.getPath()), null);
      }
    };
  }

  private abstract class Children<T> implements RemoteIterator<T> {
    final RemoteIterator<FileStatus> children;
    private final Path directory;

    Children(Path directory) throws IOException {
      this.directory = directory;
      children = RemoteFiles.super.listStatusIterator(directory);
    }

    @Override
    public boolean hasNext() throws IOException {
      boolean hasNext = children.hasNext();
      if (!hasNext && directory.getName().startsWith("unlisted")) {
        throw new IOException("the list has no end");
      }
      return hasNext;
    }
  }
}
