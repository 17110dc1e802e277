// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import io.github.batchvalidator.audit.source.LocalFile;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.jspecify.annotations.Nullable;

/**
 * The partition of an upload. Other files of its directory may belong to later segments, so only
 * the state of the producers before the segment is read.
 *
 * @param id the partition
 * @param segment the segment in the directory of the broker
 * @param baseOffset the first offset of the segment
 */
record UploadPartition(TopicIdPartition id, Path segment, long baseOffset) implements Partition {
  /** Returns the directory of the broker. */
  Path folder() {
    return segment.toAbsolutePath().resolveSibling("").normalize();
  }

  /** Returns the snapshot of the producers before the segment, which may not exist. */
  Path snapshotBefore() {
    return folder().resolve(String.format(Locale.ROOT, "%020d.snapshot", baseOffset));
  }

  @Override
  public String name() {
    return folder().toString();
  }

  @Override
  public int number() {
    return id.partition();
  }

  @Override
  public String topicId() {
    return id.topicId().toString();
  }

  @Override
  public String topic() {
    return id.topic();
  }

  /** Returns true for a topic that was compacted before it was tiered. */
  @Override
  public boolean isCompacted() {
    PartitionDirectory local = PartitionDirectory.of(folder());
    return local != null && local.isCompacted();
  }

  @Override
  public boolean showsCompaction() throws IOException {
    PartitionDirectory local = PartitionDirectory.of(folder());
    return local != null && local.showsCompaction();
  }

  @Override
  public long checkpoint(String name) throws IOException {
    PartitionDirectory local = PartitionDirectory.of(folder());
    return local == null ? -1 : local.checkpoint(name);
  }

  /** Returns null, because the upload has a checkpoint of its own. */
  @Override
  public @Nullable StoredFile leaderEpochs() {
    return null;
  }

  @Override
  public NavigableMap<Long, StoredFile> producerSnapshots() {
    NavigableMap<Long, StoredFile> before = new TreeMap<>();
    if (Files.exists(snapshotBefore())) {
      before.put(baseOffset, new LocalFile(snapshotBefore()));
    }
    return before;
  }
}
