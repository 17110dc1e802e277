// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.audit.source.FileState;
import io.github.batchvalidator.audit.source.SegmentNames;
import io.github.batchvalidator.spark.storage.Folder;
import org.jspecify.annotations.Nullable;

/**
 * A segment in the directory of a broker, or of a copy.
 *
 * @param folder the directory
 * @param fileName the name of the file
 * @param size the size when it was listed; later bytes are not checked
 * @param state the file when it was listed, or null if it is not local
 * @param searched true if a search found the file, false if the user named it
 */
record LogRef(
    Folder folder, String fileName, long size, @Nullable FileState state, boolean searched)
    implements SegmentRef {
  @Override
  public String name() {
    return folder.child(fileName);
  }

  /** Returns true if the segment is checked together with others in its directory. */
  boolean isOfPartition() {
    return searched && SegmentNames.isSegment(fileName);
  }
}
