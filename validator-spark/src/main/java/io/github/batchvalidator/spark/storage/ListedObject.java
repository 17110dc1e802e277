// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.storage;

import java.io.Serializable;

/**
 * An object of a tiered storage.
 *
 * @param directory the part of the key up to the last slash, or an empty text
 * @param name the part of the key after the last slash
 * @param bytes the size
 */
public record ListedObject(String directory, String name, long bytes) implements Serializable {
  public String key() {
    return directory.isEmpty() ? name : directory + "/" + name;
  }
}
