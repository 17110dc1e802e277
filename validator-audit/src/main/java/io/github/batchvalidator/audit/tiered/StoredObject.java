// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/**
 * An object, or a range of bytes in an object, that is read as a file.
 *
 * @param store the store
 * @param key the key of the object
 * @param position the first byte
 * @param bytes the number of bytes in the object
 * @param cipher the decryption, or null; encrypted bytes are one chunk, which is read as a whole
 */
record StoredObject(
    ObjectStore store, String key, long position, long bytes, @Nullable ChunkCipher cipher)
    implements StoredFile {
  @Override
  public String name() {
    return store.name(key);
  }

  @Override
  public long size() {
    return cipher == null ? bytes : Math.max(0, bytes - ChunkCipher.OVERHEAD_BYTES);
  }

  @Override
  public InputStream open() throws IOException {
    ChunkCipher decryption = cipher;
    if (decryption == null) {
      return stored();
    }
    if (bytes == 0) { // the plugin does not encrypt an empty index
      return InputStream.nullInputStream();
    }
    try (InputStream in = stored()) {
      return new ByteArrayInputStream(decryption.decrypt(in.readAllBytes()));
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "the index at byte " + position + " cannot be decrypted: it was changed", e);
    }
  }

  private InputStream stored() throws IOException {
    return new BoundedStream(store.open(key, position), bytes);
  }
}
