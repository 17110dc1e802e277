// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.storage;

import java.io.Serializable;

/**
 * A directory that contains segments, or a digest file.
 *
 * @param name the name to show in reports: what the user typed, and what follows below it
 * @param uri the absolute path
 */
public record Folder(String name, String uri) implements Serializable {
  /** Returns the name to show in reports of a file, or of a key below the folder. */
  public String child(String file) {
    if (file.isEmpty()) {
      return name;
    }
    return name.isEmpty() || name.endsWith("/") ? name + file : name + "/" + file;
  }
}
