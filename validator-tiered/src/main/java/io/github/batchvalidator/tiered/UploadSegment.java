// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import io.github.batchvalidator.audit.report.TieredReason;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.LocalFile;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.audit.source.Upload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.jspecify.annotations.Nullable;

/** The segment of an upload, with the files and the metadata that are uploaded with it. */
final class UploadSegment extends FileSegment {
  private final UploadPartition partition;
  private final RemoteLogSegmentMetadata metadata;
  private final LogSegmentData data;

  UploadSegment(UploadPartition partition, RemoteLogSegmentMetadata metadata, LogSegmentData data) {
    super(data.logSegment(), partition, false);
    this.partition = partition;
    this.metadata = metadata;
    this.data = data;
  }

  @Override
  public String topic() {
    return partition.topic();
  }

  @Override
  public @Nullable StoredFile companion(Companion kind) {
    return switch (kind) {
      case OFFSET_INDEX -> existing(data.offsetIndex());
      case TIME_INDEX -> existing(data.timeIndex());
      case TXN_INDEX -> existing(data.transactionIndex().orElse(null));
    };
  }

  private static @Nullable StoredFile existing(@Nullable Path file) {
    return file == null || Files.notExists(file) ? null : new LocalFile(file);
  }

  @Override
  public Upload upload() {
    Path epochs = partition.folder().resolve("leader-epoch-checkpoint");
    return new Upload(
        new Upload.Manifest(
            metadataName(), metadata.endOffset(), metadata.maxTimestampMs(), segmentEpochs()),
        new EpochsFile(epochs.toString(), data.leaderEpochIndex()),
        existing(data.producerSnapshotIndex()),
        faults());
  }

  private String metadataName() {
    return "metadata of " + name();
  }

  /** Returns each leader epoch by its first offset. */
  private NavigableMap<Long, Integer> segmentEpochs() {
    NavigableMap<Long, Integer> epochs = new TreeMap<>();
    metadata.segmentLeaderEpochs().forEach((epoch, start) -> epochs.put(start, epoch));
    return epochs;
  }

  /** Returns what the files show before they are read. */
  private List<FileFault> faults() {
    List<FileFault> found = new ArrayList<>();
    if (isOpened() && size() != metadata.segmentSizeInBytes()) {
      found.add(
          fault(
              metadataName(),
              TieredReason.TIERED_MANIFEST_MISMATCH,
              "size",
              metadata.segmentSizeInBytes(),
              size()));
    }
    addMissing(found, data.offsetIndex(), "index");
    addMissing(found, data.timeIndex(), "timeindex");
    addMissing(found, data.producerSnapshotIndex(), "snapshot");
    return found;
  }

  /**
   * Adds a fault if only this file is missing. Kafka renames the directory of a deleted partition
   * before it cancels the upload.
   */
  private void addMissing(List<FileFault> found, Path file, String kind) {
    if (existing(file) == null && lookAgain() != Look.REPLACED) {
      found.add(fault(file.toString(), TieredReason.TIERED_OBJECT_MISSING, kind));
    }
  }

  private static FileFault fault(String file, TieredReason reason, Object... operands) {
    return new FileFault(file, Fault.of(reason, 0, Fault.UNKNOWN, operands));
  }
}
