// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.spark.storage.HadoopDirectory;
import io.github.batchvalidator.spark.storage.HadoopSegment;
import io.github.batchvalidator.spark.storage.Storage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A maker of segments from their references. The segments of a partition get the same partition.
 * Confined to one thread.
 */
public final class SegmentOpener {
  private final Storage storage;
  private final DataKeys keys;

  /** The directory of the last segment of a partition. */
  private @Nullable HadoopDirectory directory;

  private @Nullable Partition partition;
  private Map<String, Segment> tiered = Map.of();

  public SegmentOpener(Storage storage, DataKeys keys) {
    this.storage = storage;
    this.keys = keys;
  }

  /** Sets the partition of the next segments, and reads its history. */
  public void start(TieredGroup group) {
    List<Segment> local = group.local().stream().map(this::log).toList();
    tiered = new HashMap<>();
    for (Segment segment :
        KnownObjects.files(storage, group.root(), group.objects(), keys).segments(local.stream())) {
      tiered.put(segment.name(), segment);
    }
  }

  /** Returns a new segment that is not open. */
  public Segment segment(SegmentRef ref) {
    if (ref instanceof LogRef log) {
      return log(log);
    }
    Segment known = tiered.get(ref.name());
    return known == null ? KnownObjects.segment(storage, (TieredRef) ref, keys) : known;
  }

  private Segment log(LogRef ref) {
    if (!ref.isOfPartition()) {
      return log(new HadoopDirectory(storage, ref.folder()), ref, null);
    }
    HadoopDirectory of = directory;
    if (of == null || !of.folder().equals(ref.folder())) {
      of = new HadoopDirectory(storage, ref.folder());
      directory = of;
      partition = PartitionDirectory.of(of);
    }
    return log(of, ref, partition);
  }

  private static Segment log(HadoopDirectory of, LogRef ref, @Nullable Partition partition) {
    return new HadoopSegment(
        of, ref.fileName(), ref.size(), ref.state(), ref.searched(), partition);
  }
}
