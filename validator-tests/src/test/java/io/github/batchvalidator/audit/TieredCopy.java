// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the closed segments of a partition in a tiered storage, as {@code LocalTieredStorage}
 * or Aiven's plugin makes it. The content comes from a directory that Kafka's own classes wrote.
 */
public final class TieredCopy {
  public static final String TOPIC_ID = "a-bcDEF_ghi-jkl_MNO-pq";
  private static final String OTHER_ID = "zzzzzzzzzzzzzzzzzzzzzg";
  private static final int VERSION_LINES = 2;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;
  private final List<Closed> segments = new ArrayList<>();

  /**
   * A closed segment.
   *
   * @param base the first offset
   * @param next the first offset of the next segment
   * @param id the id in the storage
   */
  private record Closed(long base, long next, String id) {}

  /**
   * How Aiven's plugin stores logs.
   *
   * @param prefix precedes the topic
   * @param chunkBytes the size of a chunk before compression
   * @param compressed true if chunks are compressed, so that their sizes differ
   */
  record Aiven(String prefix, int chunkBytes, boolean compressed) {}

  private TieredCopy(Path directory) {
    this.directory = directory;
  }

  /** Copies the partition as {@code LocalTieredStorage} does. */
  public static TieredCopy kafka(Path partition, Path store) throws IOException {
    TieredCopy copy = new TieredCopy(store.resolve(partition.getFileName() + "-" + TOPIC_ID));
    copy.list(partition);
    Files.createDirectories(copy.directory);
    for (int i = 0; i < copy.segments.size(); i++) {
      Closed segment = copy.segments.get(i);
      for (String suffix : List.of("log", "index", "timeindex", "txnindex")) {
        Path file = partition.resolve(name(segment.base, suffix));
        if (Files.exists(file)) {
          Files.copy(file, copy.file(i, suffix));
        }
      }
      Files.copy(partition.resolve(name(segment.next, "snapshot")), copy.file(i, "snapshot"));
      Files.writeString(
          copy.file(i, "leader_epoch_checkpoint"), checkpoint(epochs(partition, segment.next)));
    }
    return copy;
  }

  /** Copies the partition as Aiven's plugin does. */
  static TieredCopy aiven(Path partition, Path store, Aiven settings) throws IOException {
    return aiven(partition, store, settings, null);
  }

  /**
   * Copies the partition as Aiven's plugin does.
   *
   * @param encryption encrypts each chunk and each index, or null
   */
  static TieredCopy aiven(
      Path partition, Path store, Aiven settings, @Nullable TieredEncryption encryption)
      throws IOException {
    String[] name = String.valueOf(partition.getFileName()).split("-(?=[0-9]+$)", -1);
    Path topic = store.resolve(settings.prefix + name[0] + "-" + TOPIC_ID);
    TieredCopy copy = new TieredCopy(topic.resolve(name[1]));
    copy.list(partition);
    Files.createDirectories(copy.directory);
    for (int i = 0; i < copy.segments.size(); i++) {
      Closed segment = copy.segments.get(i);
      ObjectNode manifest = JSON.createObjectNode().put("version", "1");
      byte[] log = Files.readAllBytes(partition.resolve(name(segment.base, "log")));
      Files.write(copy.file(i, "log"), chunks(log, settings, encryption, manifest));
      Files.write(copy.file(i, "indexes"), indexes(partition, segment, encryption, manifest));
      manifest.put("compression", settings.compressed);
      if (encryption != null) {
        encryption.describe(manifest);
      }
      metadata(partition, segment, name[0], Integer.parseInt(name[1]), manifest);
      Files.writeString(copy.file(i, "rsm-manifest"), manifest.toString());
    }
    return copy;
  }

  private void list(Path partition) throws IOException {
    List<Long> bases;
    try (Stream<Path> files = Files.list(partition)) {
      bases =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(file -> file.endsWith(".log"))
              .map(file -> Long.parseLong(file.substring(0, 20)))
              .sorted()
              .toList();
    }
    for (int i = 0; i + 1 < bases.size(); i++) {
      segments.add(new Closed(bases.get(i), bases.get(i + 1), id(partition, bases.get(i))));
    }
  }

  /**
   * Returns an id with all kinds of characters, which depends on the name of the data directory.
   */
  private static String id(Path partition, long base) {
    byte[] id = new byte[16];
    int broker = String.valueOf(partition.getName(partition.getNameCount() - 2)).hashCode();
    ByteBuffer.wrap(id).putInt(0xfbf0_fbf0).putInt(broker).putLong(base * 31);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
  }

  private static String name(long offset, String suffix) {
    return String.format(Locale.ROOT, "%020d.%s", offset, suffix);
  }

  // ---- Kafka's checkpoint

  /** Returns the leader epochs with their first offsets, up to an offset. */
  private static Map<Integer, Long> epochs(Path partition, long end) throws IOException {
    Map<Integer, Long> epochs = new LinkedHashMap<>();
    Path file = partition.resolve("leader-epoch-checkpoint");
    for (String line : Files.readAllLines(file).subList(VERSION_LINES, lines(file))) {
      String[] entry = line.split(" ", -1);
      if (Long.parseLong(entry[1]) < end) {
        epochs.put(Integer.parseInt(entry[0]), Long.parseLong(entry[1]));
      }
    }
    return epochs;
  }

  private static int lines(Path file) throws IOException {
    return Files.readAllLines(file).size();
  }

  private static String checkpoint(Map<Integer, Long> epochs) {
    StringBuilder text = new StringBuilder("0\n" + epochs.size() + "\n");
    epochs.forEach((epoch, start) -> text.append(epoch).append(' ').append(start).append('\n'));
    return text.toString();
  }

  // ---- Aiven's objects

  private static byte[] chunks(
      byte[] log, Aiven settings, @Nullable TieredEncryption encryption, ObjectNode manifest) {
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    List<Integer> sizes = new ArrayList<>();
    for (int at = 0; at < log.length; at += settings.chunkBytes) {
      byte[] chunk = Arrays.copyOfRange(log, at, at + size(log.length - at, settings));
      byte[] stored = settings.compressed ? Zstd.compress(chunk) : chunk;
      stored = encryption == null ? stored : encryption.encrypt(stored);
      object.writeBytes(stored);
      sizes.add(stored.length);
    }
    ObjectNode index = manifest.putObject("chunkIndex");
    index.put("type", settings.compressed ? "variable" : "fixed");
    index.put("originalChunkSize", settings.chunkBytes).put("originalFileSize", log.length);
    if (settings.compressed) {
      index.put("transformedChunks", encoded(sizes));
    } else {
      int overhead = encryption == null ? 0 : encryption.encrypt(new byte[0]).length;
      index.put("transformedChunkSize", settings.chunkBytes + overhead);
      index.put("finalTransformedChunkSize", sizes.get(sizes.size() - 1));
    }
    return object.toByteArray();
  }

  private static int size(int left, Aiven settings) {
    return Math.min(left, settings.chunkBytes);
  }

  /** Encodes chunk sizes: the count, the least size, and the others as differences to it. */
  static String encoded(List<Integer> sizes) {
    ByteBuffer numbers = ByteBuffer.allocate(16 + 4 * sizes.size()).putInt(sizes.size());
    List<Integer> first = sizes.subList(0, sizes.size() - 1);
    if (!first.isEmpty()) {
      int base = first.stream().mapToInt(size -> size).min().orElseThrow();
      int largest = first.stream().mapToInt(size -> size - base).max().orElseThrow();
      int width = Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(largest) + 7) / 8);
      numbers.putInt(base).put((byte) width);
      for (int size : first) {
        for (int i = width - 1; i >= 0; i--) {
          numbers.put((byte) ((size - base) >> (8 * i)));
        }
      }
    }
    numbers.putInt(sizes.get(sizes.size() - 1)).flip();
    byte[] bytes = new byte[numbers.remaining()];
    numbers.get(bytes);
    return Base64.getEncoder().encodeToString(Zstd.compress(bytes));
  }

  private static byte[] indexes(
      Path partition, Closed segment, @Nullable TieredEncryption encryption, ObjectNode manifest)
      throws IOException {
    Map<String, byte[]> parts = new LinkedHashMap<>();
    parts.put("offset", Files.readAllBytes(partition.resolve(name(segment.base, "index"))));
    parts.put("timestamp", Files.readAllBytes(partition.resolve(name(segment.base, "timeindex"))));
    parts.put(
        "producerSnapshot", Files.readAllBytes(partition.resolve(name(segment.next, "snapshot"))));
    String checkpoint = checkpoint(epochs(partition, segment.next));
    parts.put("leaderEpoch", checkpoint.getBytes(StandardCharsets.UTF_8));
    Path aborted = partition.resolve(name(segment.base, "txnindex"));
    ObjectNode ranges = manifest.putObject("segmentIndexes");
    if (Files.exists(aborted)) {
      parts.put("transaction", Files.readAllBytes(aborted));
    }
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    parts.forEach(
        (part, bytes) -> {
          byte[] stored =
              encryption == null || bytes.length == 0 ? bytes : encryption.encrypt(bytes);
          ranges.putObject(part).put("position", object.size()).put("size", stored.length);
          object.writeBytes(stored);
        });
    if (!Files.exists(aborted)) {
      ranges.putNull("transaction");
    }
    return object.toByteArray();
  }

  private static void metadata(
      Path partition, Closed segment, String topic, int number, ObjectNode manifest)
      throws IOException {
    ObjectNode metadata = manifest.putObject("remoteLogSegmentMetadata");
    ObjectNode id = metadata.putObject("remoteLogSegmentId");
    ObjectNode topicPartition = id.putObject("topicIdPartition").put("topicId", TOPIC_ID);
    topicPartition.putObject("topicPartition").put("topic", topic).put("partition", number);
    id.put("id", segment.id);
    metadata.put("startOffset", segment.base).put("endOffset", segment.next - 1);
    metadata.put("maxTimestampMs", maxTimestamp(partition.resolve(name(segment.base, "log"))));
    metadata.put("brokerId", 1).put("eventTimestampMs", 1_700_000_000_000L);
    ObjectNode epochs = metadata.putObject("segmentLeaderEpochs");
    long before = -1;
    for (Map.Entry<Integer, Long> epoch : epochs(partition, segment.next).entrySet()) {
      if (epoch.getValue() <= segment.base) {
        epochs.removeAll();
      }
      before = Math.max(segment.base, epoch.getValue());
      epochs.put(Integer.toString(epoch.getKey()), before);
    }
  }

  private static long maxTimestamp(Path log) throws IOException {
    long largest = -1;
    try (FileRecords records = FileRecords.open(log.toFile(), false)) {
      for (RecordBatch batch : records.batches()) {
        largest = Math.max(largest, batch.maxTimestamp());
      }
    }
    return largest;
  }

  // ---- access

  Path directory() {
    return directory;
  }

  int segments() {
    return segments.size();
  }

  long base(int i) {
    return segments.get(i).base;
  }

  /** Returns the first offset after a segment. */
  long next(int i) {
    return segments.get(i).next;
  }

  /** Returns an object of a segment. */
  public Path file(int i, String suffix) {
    Closed segment = segments.get(i);
    return directory.resolve(
        String.format(Locale.ROOT, "%020d-%s.%s", segment.base, segment.id, suffix));
  }

  /** Returns the object of a segment if it had another id. */
  Path twin(int i, String suffix) {
    String name = String.valueOf(file(i, suffix).getFileName());
    return directory.resolve(name.substring(0, 21) + OTHER_ID + name.substring(43));
  }

  /** Copies all objects of a segment to another id. */
  void duplicate(int i) throws IOException {
    String start = String.valueOf(file(i, "").getFileName());
    List<Path> objects;
    try (Stream<Path> files = Files.list(directory)) {
      objects = files.filter(file -> file.getFileName().toString().startsWith(start)).toList();
    }
    for (Path object : objects) {
      String name = String.valueOf(object.getFileName());
      Files.copy(object, twin(i, name.substring(start.length())));
    }
    Path manifest = twin(i, "rsm-manifest");
    if (Files.exists(manifest)) {
      String text = Files.readString(manifest).replace(segments.get(i).id, OTHER_ID);
      Files.writeString(manifest, text);
    }
  }

  /** Deletes all objects of a segment. */
  public void delete(int i) throws IOException {
    String start = String.valueOf(file(i, "").getFileName());
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith(start)) {
          Files.delete(file);
        }
      }
    }
  }

  /** Changes bytes of an object. */
  void edit(int i, String suffix, Consumer<ByteBuffer> change) throws IOException {
    byte[] bytes = Files.readAllBytes(file(i, suffix));
    change.accept(ByteBuffer.wrap(bytes));
    Files.write(file(i, suffix), bytes);
  }

  /** Changes a manifest. */
  void manifest(int i, Consumer<ObjectNode> change) throws IOException {
    ObjectNode manifest = (ObjectNode) JSON.readTree(file(i, "rsm-manifest").toFile());
    change.accept(manifest);
    Files.writeString(file(i, "rsm-manifest"), manifest.toString());
  }

  /** Shortens an object. */
  void truncate(int i, String suffix, int bytes) throws IOException {
    byte[] all = Files.readAllBytes(file(i, suffix));
    Files.write(file(i, suffix), Arrays.copyOf(all, all.length - bytes));
  }
}
