// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import java.io.IOException;
import java.io.InputStream;

/**
 * A store of objects, for reading only. Safe for several threads.
 *
 * <p>Keys are paths with slashes, relative to the root of the store.
 */
public interface ObjectStore {
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

  /** Lists the objects below a key, or all objects if the key is empty. In any order. */
  void list(String below, Visitor visitor) throws IOException;

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
