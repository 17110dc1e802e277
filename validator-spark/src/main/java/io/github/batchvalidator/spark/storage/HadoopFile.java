// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.storage;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import org.apache.hadoop.fs.Path;

/**
 * A file beside a segment.
 *
 * @param storage where the file is
 * @param path the absolute path
 * @param name the name to show in reports
 * @param listedSize the size when the directory was listed
 */
record HadoopFile(Storage storage, Path path, String name, long listedSize) implements StoredFile {
  /** Returns the current size of a local file, which a broker may be writing. */
  @Override
  public long size() throws IOException {
    java.nio.file.Path local = Storage.local(path);
    return local == null ? listedSize : Files.size(local);
  }

  @Override
  public InputStream open() throws IOException {
    try {
      return storage.of(path).open(path);
    } catch (IOException e) {
      throw Storage.asLocal(path, e);
    }
  }
}
