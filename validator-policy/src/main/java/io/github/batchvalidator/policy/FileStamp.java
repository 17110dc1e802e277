// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The content of a file as it was when it was read, as a digest. Size and modification time are not
 * compared, because copies may keep both.
 *
 * <p>Only regular files are read. To open a named pipe would block until somebody writes to it.
 *
 * @param file the path
 * @param most more bytes than these were not read, except for one
 * @param digest the digest, or why the file could not be read
 */
record FileStamp(Path file, long most, String digest) {
  private static final int CHUNK = 1 << 13;

  /** {@return the stamp of the bytes that {@link #content} returned} */
  static FileStamp of(Path file, long most, byte[] content) throws IOException {
    return new FileStamp(file, most, digest(new ByteArrayInputStream(content), most));
  }

  /** {@return the stamp of a file that could not be read} */
  static FileStamp unreadable(Path file, long most, IOException why) {
    return new FileStamp(file, most, why.getClass().getName());
  }

  /** {@return the bytes of a file; those of a longer file up to the limit, and one more} */
  static byte[] content(Path file, long most) throws IOException {
    try (InputStream in = open(file)) {
      return in.readNBytes((int) Math.min(most + 1, Integer.MAX_VALUE));
    }
  }

  /**
   * {@return true if the file has other content than it had, or cannot be read for another reason}
   */
  boolean hasChanged() {
    try (InputStream in = open(file)) {
      return !digest(in, most).equals(digest);
    } catch (IOException e) {
      return !equals(unreadable(file, most, e));
    }
  }

  private static InputStream open(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException("not a regular file");
    }
    return Files.newInputStream(file);
  }

  /** {@return the digest of the bytes up to the limit, and of one more if there is one} */
  private static String digest(InputStream in, long most) throws IOException {
    MessageDigest digest = sha256();
    byte[] chunk = new byte[CHUNK];
    long left = most + 1;
    while (left > 0) {
      int count = in.readNBytes(chunk, 0, (int) Math.min(chunk.length, left));
      if (count == 0) {
        break;
      }
      digest.update(chunk, 0, count);
      left -= count;
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) { // every Java platform has it
      throw new IllegalStateException(e);
    }
  }
}
