// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.util.Base64;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Encrypts a segment as Aiven's plugin does: AES-GCM with a data key for each segment, which is
 * encrypted by RSA of Bouncy Castle.
 */
final class TieredEncryption {
  static final String KEY_ID = "key-1";
  private static final String RSA = "RSA/NONE/OAEPWithSHA3-512AndMGF1Padding";
  private static final int KEY_BYTES = 32;
  private static final int VECTOR_BYTES = 12;
  private static final int TAG_BITS = 128;

  /** Takes less time than usual keys, and has room for a data key. */
  private static final int RSA_BITS = 1536;

  private final Random random = new Random(7);
  private final byte[] additional = bytes(KEY_BYTES);
  private final SecretKey dataKey = new SecretKeySpec(bytes(KEY_BYTES), "AES");
  private final String encryptedDataKey;

  TieredEncryption(PublicKey publicKey) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(RSA, new BouncyCastleProvider());
    cipher.init(Cipher.ENCRYPT_MODE, publicKey);
    byte[] encrypted = cipher.doFinal(dataKey.getEncoded());
    encryptedDataKey = KEY_ID + ":" + Base64.getEncoder().encodeToString(encrypted);
  }

  static KeyPair newPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(RSA_BITS);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Writes a private key for the option {@code --key}. */
  static Path writeKey(Path file, KeyPair keys) throws IOException {
    byte[] lineEnd = "\n".getBytes(StandardCharsets.US_ASCII);
    String text = Base64.getMimeEncoder(64, lineEnd).encodeToString(keys.getPrivate().getEncoded());
    return Files.writeString(
        file, "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Returns the vector, the encrypted chunk and its tag. */
  byte[] encrypt(byte[] chunk) {
    try {
      byte[] vector = bytes(VECTOR_BYTES);
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, dataKey, new GCMParameterSpec(TAG_BITS, vector));
      cipher.updateAAD(additional);
      byte[] stored = new byte[VECTOR_BYTES + cipher.getOutputSize(chunk.length)];
      System.arraycopy(vector, 0, stored, 0, VECTOR_BYTES);
      cipher.doFinal(chunk, 0, chunk.length, stored, VECTOR_BYTES);
      return stored;
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  void describe(ObjectNode manifest) {
    ObjectNode encryption = manifest.putObject("encryption");
    encryption.put("dataKey", encryptedDataKey);
    encryption.put("aad", Base64.getEncoder().encodeToString(additional));
  }
}
