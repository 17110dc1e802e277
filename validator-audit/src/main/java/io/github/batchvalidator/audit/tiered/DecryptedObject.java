// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;

/**
 * An encrypted index. It is one chunk, so it is decrypted as a whole.
 *
 * @param stored where the index is
 * @param cipher the decryption
 */
record DecryptedObject(StoredObject stored, ChunkCipher cipher) implements StoredFile {
  @Override
  public String name() {
    return stored.name();
  }

  @Override
  public long size() {
    return Math.max(0, stored.size() - ChunkCipher.OVERHEAD_BYTES);
  }

  @Override
  public InputStream open() throws IOException {
    if (stored.size() == 0) { // the plugin does not encrypt an empty index
      return InputStream.nullInputStream();
    }
    try (InputStream in = stored.open()) {
      return new ByteArrayInputStream(cipher.decrypt(in.readAllBytes()));
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "the index at byte " + stored.position() + " cannot be decrypted: it was changed", e);
    }
  }
}
