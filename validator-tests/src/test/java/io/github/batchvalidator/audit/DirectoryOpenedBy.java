// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.source.Directory;
import io.github.batchvalidator.audit.source.LocalDirectory;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A directory whose segments a test opens.
 *
 * @param of the directory
 * @param opener returns the segment of a file name
 */
record DirectoryOpenedBy(LocalDirectory of, BiFunction<String, Partition, Segment> opener)
    implements Directory {
  @Override
  public String name() {
    return of.name();
  }

  @Override
  public String lastName() {
    return of.lastName();
  }

  @Override
  public @Nullable StoredFile file(String name) {
    return of.file(name);
  }

  @Override
  public @Nullable StoredFile sibling(String name) {
    return of.sibling(name);
  }

  @Override
  public List<String> files() throws IOException {
    return of.files();
  }

  @Override
  public Segment segment(String name, Partition partition) {
    return opener.apply(name, partition);
  }
}
