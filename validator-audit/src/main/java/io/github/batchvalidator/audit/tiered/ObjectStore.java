// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * A store of objects, for reading only. Safe for several threads.
 *
 * <p>Keys are paths with slashes, relative to the root of the store.
 */
public interface ObjectStore {
  /** Returns the files below a directory of this machine. Symbolic links are followed. */
  static ObjectStore local(Path root) {
    return new LocalObjects(root);
  }

  /** A receiver of the objects of a list. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Takes an object.
     *
     * @param key the key
     * @param bytes the size
     */
    void object(String key, long bytes);
  }

  /**
   * Lists the objects below a key, or all objects if the key is empty. In any order.
   *
   * @return the keys of the directories that could not be listed, or not to their end, and why
   */
  Map<String, IOException> list(String below, Visitor visitor);

  /** Returns the current size of an object in bytes. */
  long size(String key) throws IOException;

  /**
   * Opens an object for reading up to its end. The caller closes the stream.
   *
   * @param position the first byte to read, at most the size
   */
  InputStream open(String key, long position) throws IOException;

  /** Returns the name of an object to show in reports. */
  String name(String key);
}
