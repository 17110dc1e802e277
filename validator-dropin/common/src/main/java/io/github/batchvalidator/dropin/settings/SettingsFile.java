// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.settings;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;

/**
 * A reader of the properties file of {@link Settings}, in UTF-8 with or without a byte order mark.
 *
 * <p>A shared file in another superset of ASCII works too: bytes that are not UTF-8 become
 * replacement characters, and all names and values of settings except paths are ASCII.
 */
final class SettingsFile {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private SettingsFile() {}

  /**
   * Reads a file.
   *
   * @param setting the name of the setting, for error messages
   * @param file the path
   * @throws ConfigException if it cannot be read, or is UTF-16
   */
  static Properties load(String setting, String file) {
    Properties properties = new Properties();
    try {
      Path path = Path.of(file);
      if (Files.exists(path) && !Files.isRegularFile(path)) { // to open a pipe would block
        throw new IOException("not a regular file");
      }
      byte[] bytes = Files.readAllBytes(path);
      if (isUtf16(bytes)) {
        throw new ConfigException(setting + ": " + file + " is UTF-16, save the file as UTF-8");
      }
      String text = new String(bytes, StandardCharsets.UTF_8);
      boolean marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
      properties.load(new StringReader(marked ? text.substring(1) : text));
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigException(setting + ": cannot read " + file + ": " + e);
    }
    return properties;
  }

  private static boolean isUtf16(byte[] bytes) {
    if (bytes.length < 2) {
      return false;
    }
    int mark = (bytes[0] & 0xff) << Byte.SIZE | (bytes[1] & 0xff);
    return mark == BYTE_ORDER_MARK || mark == Character.reverseBytes(BYTE_ORDER_MARK);
  }
}
