// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.spark.util.SerializableConfiguration;

/** The file systems of Hadoop, with the configuration of the driver. */
final class Storage implements Serializable {
  private static final long serialVersionUID = 1;

  private final SerializableConfiguration configuration;

  Storage(Configuration configuration) {
    this.configuration = new SerializableConfiguration(configuration);
  }

  /** Returns the file system of a path. */
  FileSystem of(Path path) throws IOException {
    try {
      return path.getFileSystem(configuration.value());
    } catch (IllegalArgumentException e) { // an endpoint or a bucket that is no name
      throw new IOException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns an error as the JDK would throw it for a local file. */
  static IOException asLocal(Path path, IOException why) {
    if (why instanceof FileNotFoundException) {
      return new NoSuchFileException(path.toString());
    }
    if (why instanceof AccessControlException) {
      return new AccessDeniedException(path.toString());
    }
    return why;
  }
}
