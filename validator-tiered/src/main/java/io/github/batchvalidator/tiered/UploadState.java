// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import io.github.batchvalidator.audit.source.FileState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The state of an upload. A repair of any of its files changes the state.
 *
 * @param files the state of each file that exists
 * @param leaderEpochs a copy of the checkpoint
 * @param endOffset the last offset that the metadata states
 * @param maxTimestampMs the largest timestamp that the metadata states
 * @param bytes the size of the segment that the metadata states
 * @param segmentEpochs the leader epochs that the metadata states
 */
record UploadState(
    List<FileState> files,
    ByteBuffer leaderEpochs,
    long endOffset,
    long maxTimestampMs,
    int bytes,
    Map<Integer, Long> segmentEpochs) {

  /** Returns the state of an upload, or null if it is unknown. */
  static @Nullable UploadState of(RemoteLogSegmentMetadata metadata, LogSegmentData data) {
    try {
      List<FileState> files = new ArrayList<>();
      for (Path file : files(data).filter(Files::exists).toList()) {
        files.add(FileState.of(file));
      }
      ByteBuffer epochs = data.leaderEpochIndex().duplicate();
      ByteBuffer copy = ByteBuffer.allocate(epochs.remaining()).put(epochs).flip();
      return new UploadState(
          files,
          copy,
          metadata.endOffset(),
          metadata.maxTimestampMs(),
          metadata.segmentSizeInBytes(),
          Map.copyOf(metadata.segmentLeaderEpochs()));
    } catch (IOException e) {
      return null;
    }
  }

  private static Stream<Path> files(LogSegmentData data) {
    return Stream.concat(
        Stream.of(
            data.logSegment(), data.offsetIndex(), data.timeIndex(), data.producerSnapshotIndex()),
        data.transactionIndex().stream());
  }
}
