// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Private keys that decrypt the data keys in manifests. Source: {@code RsaEncryptionProvider} of
 * tiered-storage-for-apache-kafka.
 *
 * <p>The plugin encrypts the data key of each segment by RSA, with OAEP padding and SHA3-512.
 * Immutable.
 */
public final class DataKeys implements Serializable {
  private static final long serialVersionUID = 1;

  /** No keys. Encrypted segments cannot be checked. */
  public static final DataKeys NONE = new DataKeys(List.of());

  private static final OAEPParameterSpec PADDING =
      new OAEPParameterSpec(
          "SHA3-512", "MGF1", new MGF1ParameterSpec("SHA3-512"), PSource.PSpecified.DEFAULT);

  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";

  @SuppressWarnings("serial") // lists of List.copyOf are serializable, and so are keys
  private final List<PrivateKey> keys;

  private DataKeys(List<PrivateKey> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * Reads private keys.
   *
   * @param files files in the PEM form of PKCS #8, as the plugin reads them
   * @throws IOException if a file cannot be read, or has no such key; its message never has bytes
   *     of the file
   */
  public static DataKeys read(List<Path> files) throws IOException {
    List<PrivateKey> keys = new ArrayList<>();
    for (Path file : files) {
      keys.add(key(file));
    }
    return new DataKeys(keys);
  }

  private static PrivateKey key(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException("no line \"" + BEGIN + "\"");
    }
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
      return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException("not an RSA key", e);
    }
  }

  /** Returns true if there is no key. */
  boolean isEmpty() {
    return keys.isEmpty();
  }

  /** Returns the decryption of a segment, or null if none of the keys fits. */
  @Nullable ChunkCipher cipher(Manifest.Encryption encryption) {
    for (PrivateKey key : keys) {
      byte[] dataKey = decrypt(key, encryption.dataKey().array());
      if (dataKey != null) {
        return new ChunkCipher(new SecretKeySpec(dataKey, "AES"), encryption.additional().array());
      }
    }
    return null;
  }

  /** Returns a data key, or null if it was encrypted for another private key. */
  private static byte @Nullable [] decrypt(PrivateKey key, byte[] encrypted) {
    try {
      Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
      cipher.init(Cipher.DECRYPT_MODE, key, PADDING);
      return cipher.doFinal(encrypted);
    } catch (GeneralSecurityException e) {
      return null;
    }
  }
}
