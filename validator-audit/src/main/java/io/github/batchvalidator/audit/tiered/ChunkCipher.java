// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * The decryption of the chunks and indexes of a segment. Source: {@code AesEncryptionProvider} of
 * tiered-storage-for-apache-kafka.
 *
 * <p>A stored chunk has an initialization vector of 12 bytes, the encrypted bytes, and a tag of 16
 * bytes. AES-GCM compares the tag, so a chunk of another segment or with a changed bit is refused.
 */
final class ChunkCipher {
  /** The number of bytes by which a stored chunk is larger. */
  static final int OVERHEAD_BYTES = 12 + 16;

  private static final int VECTOR_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final SecretKey key;
  private final byte[] additional;

  ChunkCipher(SecretKey key, byte[] additional) {
    this.key = key;
    this.additional = additional;
  }

  /**
   * Decrypts a chunk.
   *
   * @throws GeneralSecurityException if the chunk is not one that was encrypted with the key
   */
  byte[] decrypt(byte[] stored) throws GeneralSecurityException {
    if (stored.length < OVERHEAD_BYTES) {
      throw new GeneralSecurityException(stored.length + " bytes are too few");
    }
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, stored, 0, VECTOR_BYTES));
    cipher.updateAAD(additional);
    return cipher.doFinal(stored, VECTOR_BYTES, stored.length - VECTOR_BYTES);
  }
}
