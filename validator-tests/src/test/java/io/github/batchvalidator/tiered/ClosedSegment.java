// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;

/**
 * A segment that a broker may upload, with the metadata that a broker would have in memory. The
 * files may be damaged afterward.
 *
 * @param base the first offset
 * @param next the first offset of the next segment
 * @param metadata the metadata of the undamaged files
 * @param leaderEpochs the checkpoint
 */
public record ClosedSegment(
    long base, long next, RemoteLogSegmentMetadata metadata, String leaderEpochs) {

  /** Returns all segments of a directory named {@code TOPIC-PARTITION} but the last one. */
  public static List<ClosedSegment> list(Path partition) throws IOException {
    List<Long> bases;
    try (Stream<Path> files = Files.list(partition)) {
      bases =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.matches("[0-9]{20}\\.log"))
              .map(file -> Long.parseLong(file.substring(0, 20)))
              .sorted()
              .toList();
    }
    List<ClosedSegment> closed = new ArrayList<>();
    for (int i = 0; i + 1 < bases.size(); i++) {
      closed.add(of(partition, bases.get(i), bases.get(i + 1)));
    }
    return closed;
  }

  private static ClosedSegment of(Path partition, long base, long next) throws IOException {
    TreeMap<Long, Integer> epochs = epochs(partition, next);
    Map<Integer, Long> ofSegment = new HashMap<>();
    Long first = epochs.floorKey(base);
    epochs
        .tailMap(first == null ? base : first, true)
        .forEach((start, epoch) -> ofSegment.put(epoch, Math.max(start, base)));
    String[] name = partition.getFileName().toString().split("-(?=[0-9]+$)", -1);
    TopicIdPartition id =
        new TopicIdPartition(Uuid.ONE_UUID, new TopicPartition(name[0], Integer.parseInt(name[1])));
    Path log = partition.resolve(name(base, "log"));
    RemoteLogSegmentMetadata metadata =
        new RemoteLogSegmentMetadata(
            RemoteLogSegmentId.generateNew(id),
            base,
            next - 1,
            maxTimestamp(log),
            1,
            0,
            (int) Files.size(log),
            ofSegment.isEmpty() ? Map.of(0, base) : ofSegment);
    StringBuilder text = new StringBuilder("0\n" + epochs.size() + "\n");
    epochs.forEach((start, epoch) -> text.append(epoch).append(' ').append(start).append('\n'));
    return new ClosedSegment(base, next, metadata, text.toString());
  }

  private static TreeMap<Long, Integer> epochs(Path partition, long end) throws IOException {
    TreeMap<Long, Integer> epochs = new TreeMap<>();
    List<String> lines = Files.readAllLines(partition.resolve("leader-epoch-checkpoint"));
    for (String line : lines.subList(2, lines.size())) {
      String[] entry = line.split(" ", -1);
      if (Long.parseLong(entry[1]) < end) {
        epochs.put(Long.parseLong(entry[1]), Integer.parseInt(entry[0]));
      }
    }
    return epochs;
  }

  private static long maxTimestamp(Path log) throws IOException {
    long max = RecordBatch.NO_TIMESTAMP;
    try (FileRecords records = FileRecords.open(log.toFile(), false)) {
      for (RecordBatch batch : records.batches()) {
        max = Math.max(max, batch.maxTimestamp());
      }
    }
    return max;
  }

  private static String name(long offset, String suffix) {
    return String.format(Locale.ROOT, "%020d.%s", offset, suffix);
  }

  /** Returns a file of the segment in a directory. */
  public Path file(Path partition, String suffix) {
    return partition.resolve(name(suffix.equals("snapshot") ? next : base, suffix));
  }

  /** Returns the files as a broker passes them. */
  public LogSegmentData data(Path partition) {
    return data(partition, leaderEpochs);
  }

  /** Returns the files with another checkpoint of leader epochs. */
  public LogSegmentData data(Path partition, String epochs) {
    Path transactions = file(partition, "txnindex");
    return new LogSegmentData(
        file(partition, "log"),
        file(partition, "index"),
        file(partition, "timeindex"),
        Files.exists(transactions) ? Optional.of(transactions) : Optional.empty(),
        file(partition, "snapshot"),
        ByteBuffer.wrap(epochs.getBytes(StandardCharsets.UTF_8)));
  }
}
