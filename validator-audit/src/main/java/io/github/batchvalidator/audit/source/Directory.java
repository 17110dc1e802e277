// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory of a broker with the segments of a partition, or a copy of it. */
public interface Directory {
  /** Returns the name to show in reports. */
  String name();

  /** Returns the last element of its path, or an empty text for a root. */
  String lastName();

  /**
   * Returns a file in the directory, or null if it does not exist. After an error, opening the file
   * or listing the directory fails, too.
   */
  @Nullable StoredFile file(String name);

  /** Returns a file beside the directory, or null if it does not exist. */
  @Nullable StoredFile sibling(String name);

  /** Returns the names of the files in the directory, in any order. */
  List<String> files() throws IOException;

  /** Returns a segment in the directory that a search has found, which is not open. */
  Segment segment(String name, Partition partition);
}
