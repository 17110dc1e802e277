// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A manifest of Aiven's plugin, version 1. Source: {@code SegmentManifestV1} of
 * tiered-storage-for-apache-kafka.
 *
 * @param chunks the chunks of the log object
 * @param compressed true if each chunk is a zstd frame
 * @param encryption how chunks and indexes are encrypted, or null
 * @param indexes where each index is in the object of the indexes
 * @param indexBytes the size of the object of the indexes
 * @param metadata what Kafka says of the segment, or null in early versions of the plugin
 */
record Manifest(
    ChunkIndex chunks,
    boolean compressed,
    @Nullable Encryption encryption,
    Map<Index, Range> indexes,
    long indexBytes,
    @Nullable Metadata metadata) {
  /** A manifest has a few kilobytes. Larger objects are not read. */
  static final int MAX_BYTES = 1 << 24;

  /** The kinds of indexes, in their order in the object. */
  enum Index {
    OFFSET("offset"),
    TIMESTAMP("timestamp"),
    PRODUCER_SNAPSHOT("producerSnapshot"),
    LEADER_EPOCH("leaderEpoch"),
    TRANSACTION("transaction");

    private final String field;

    Index(String field) {
      this.field = field;
    }
  }

  /**
   * A range of bytes.
   *
   * @param position the first byte
   * @param bytes the number of bytes
   */
  record Range(long position, long bytes) {}

  /**
   * How a segment is encrypted.
   *
   * @param keyId the name that the plugin gives the key that encrypts the data key
   * @param dataKey the encrypted data key
   * @param additional the additional authenticated data of each chunk
   */
  record Encryption(String keyId, ByteBuffer dataKey, ByteBuffer additional) {}

  /**
   * The metadata that Kafka has given to the segment.
   *
   * @param topic the topic
   * @param topicId the topic id
   * @param partition the number of the partition
   * @param segmentId the id of the segment
   * @param startOffset the first offset
   * @param endOffset the last offset
   * @param maxTimestamp the largest timestamp
   * @param leaderEpochs each leader epoch by its first offset in the segment
   */
  record Metadata(
      String topic,
      String topicId,
      long partition,
      String segmentId,
      long startOffset,
      long endOffset,
      long maxTimestamp,
      NavigableMap<Long, Integer> leaderEpochs) {}

  /**
   * Reads a manifest.
   *
   * @throws InvalidManifestException if the object is not a manifest, or its numbers contradict
   *     each other
   */
  static Manifest read(StoredFile file) throws IOException {
    if (file.size() > MAX_BYTES) {
      throw new InvalidManifestException("the manifest has " + file.size() + " bytes");
    }
    try (InputStream in = new BufferedInputStream(file.open())) {
      return of(JsonTree.read(in));
    }
  }

  private static Manifest of(JsonTree json) throws IOException {
    if (!"1".equals(json.text("version"))) {
      throw new InvalidManifestException("the version is " + json.text("version") + ", not 1");
    }
    Encryption encryption = json.has("encryption") ? encryption(json.object("encryption")) : null;
    boolean compressed = json.flag("compression");
    ChunkIndex chunks = ChunkIndexReader.read(json.object("chunkIndex"));
    if (encryption == null && !compressed) {
      checkPlain(chunks);
    }
    JsonTree ranges = json.object("segmentIndexes");
    Map<Index, Range> indexes = new EnumMap<>(Index.class);
    long end = 0;
    for (Index index : Index.values()) {
      if (index == Index.TRANSACTION && !ranges.has(index.field)) {
        continue;
      }
      JsonTree range = ranges.object(index.field);
      int position = range.size("position", 0);
      if (position != end) {
        throw new InvalidManifestException(
            "the index " + index.field + " starts at byte " + position + ", not " + end);
      }
      int bytes = range.size("size", 0);
      indexes.put(index, new Range(position, bytes));
      end += bytes;
    }
    String metadata = "remoteLogSegmentMetadata";
    return new Manifest(
        chunks,
        compressed,
        encryption,
        indexes,
        end,
        json.has(metadata) ? metadata(json.object(metadata)) : null);
  }

  private static Encryption encryption(JsonTree json) throws InvalidManifestException {
    String key = json.text("dataKey");
    int colon = key.indexOf(':');
    try {
      return new Encryption(
          key.substring(0, Math.max(0, colon)),
          ByteBuffer.wrap(Base64.getDecoder().decode(key.substring(colon + 1))),
          ByteBuffer.wrap(Base64.getDecoder().decode(json.text("aad"))));
    } catch (IllegalArgumentException e) {
      throw new InvalidManifestException("the encryption is not base64");
    }
  }

  /** Returns this manifest for a segment whose indexes cannot be read. */
  Manifest withoutIndexes() {
    return new Manifest(chunks, compressed, encryption, Map.of(), 0, metadata);
  }

  private static void checkPlain(ChunkIndex chunks) throws InvalidManifestException {
    boolean isSame = chunks.objectBytes() == chunks.logBytes();
    for (int i = 0; isSame && i < Math.min(2, chunks.count()); i++) {
      isSame = chunks.objectBytes(i) == chunks.logBytes(i);
    }
    if (!isSame) {
      throw new InvalidManifestException(
          "chunks of "
              + chunks.logBytes()
              + " bytes are stored in "
              + chunks.objectBytes()
              + " bytes without compression");
    }
  }

  private static Metadata metadata(JsonTree json) throws InvalidManifestException {
    JsonTree id = json.object("remoteLogSegmentId");
    JsonTree partition = id.object("topicIdPartition");
    JsonTree name = partition.object("topicPartition");
    NavigableMap<Long, Integer> epochs = new TreeMap<>();
    JsonTree stated = json.object("segmentLeaderEpochs");
    for (String epoch : stated.names()) {
      epochs.merge(stated.number(epoch), number(epoch), Math::max);
    }
    return new Metadata(
        name.text("topic"),
        partition.text("topicId"),
        name.number("partition"),
        id.text("id"),
        json.number("startOffset"),
        json.number("endOffset"),
        json.number("maxTimestampMs"),
        epochs);
  }

  private static int number(String epoch) throws InvalidManifestException {
    try {
      return Integer.parseInt(epoch);
    } catch (NumberFormatException e) {
      throw new InvalidManifestException("a leader epoch is not a number");
    }
  }
}
