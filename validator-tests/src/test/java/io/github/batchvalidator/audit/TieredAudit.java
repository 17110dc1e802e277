// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Audits of tiered storages, whose results have the names of the objects. */
final class TieredAudit {
  private TieredAudit() {}

  /** Audits a store, and local directories beside it. */
  static Audited of(Path store, Path... local) throws InterruptedException {
    return run(List.of(store), List.of(local), DataKeys.NONE);
  }

  /** Audits a store with encrypted segments. */
  static Audited decrypted(Path store, DataKeys keys) throws InterruptedException {
    return run(List.of(store), List.of(), keys);
  }

  /** Searches directories, in which tiered partitions are found by their names. */
  static Audited search(Path... directories) throws InterruptedException {
    return run(List.of(), List.of(directories), DataKeys.NONE);
  }

  private static Audited run(List<Path> stores, List<Path> directories, DataKeys keys)
      throws InterruptedException {
    return Audited.of(
        merge -> {
          TieredFiles remote = new TieredFiles(merge::error, keys);
          SegmentFiles files = new SegmentFiles(merge::error, remote::addIfTiered);
          stores.forEach(store -> remote.add(store.toString()));
          directories.forEach(directory -> files.add(directory.toString()));
          List<Segment> segments = new ArrayList<>(remote.segments(files.segments()));
          files.segments().forEach(segments::add);
          return segments;
        },
        false,
        bytes -> {});
  }
}
