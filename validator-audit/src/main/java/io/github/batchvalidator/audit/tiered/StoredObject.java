// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.io.InputStream;

/**
 * An object, or a range of bytes in an object, that is read as a file.
 *
 * @param store the store
 * @param key the key of the object
 * @param position the first byte
 * @param size the number of bytes
 */
record StoredObject(ObjectStore store, String key, long position, long size) implements StoredFile {
  @Override
  public String name() {
    return store.name(key);
  }

  @Override
  public InputStream open() throws IOException {
    return new BoundedStream(store.open(key, position), size);
  }
}
