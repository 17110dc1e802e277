// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.TieredReason;
import io.github.batchvalidator.audit.source.LocalDirectory;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.tiered.ObjectName.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * A collector of the segments in tiered storages. Recognizes the layouts of Kafka's {@code
 * LocalTieredStorage} and of Aiven's plugin by the names of the objects.
 */
public final class TieredFiles {
  private final BiConsumer<String, String> problems;
  private final DataKeys keys;
  private final Map<String, TieredPartition> partitions = new TreeMap<>();
  private long bytes;

  /**
   * Creates an empty collection.
   *
   * @param problems receives the name of each path that cannot be read, and the cause
   * @param keys decrypt segments that are encrypted
   */
  public TieredFiles(BiConsumer<String, String> problems, DataKeys keys) {
    this.problems = problems;
    this.keys = keys;
  }

  /** The objects of a partition, by segment. */
  private static final class Listing {
    private final ObjectName any;
    private final Map<SegmentKey, Objects> segments = new TreeMap<>();

    Listing(ObjectName any) {
      this.any = any;
    }
  }

  private record SegmentKey(long baseOffset, String segmentId) implements Comparable<SegmentKey> {
    @Override
    public int compareTo(SegmentKey other) {
      int byOffset = Long.compare(baseOffset, other.baseOffset);
      return byOffset == 0 ? segmentId.compareTo(other.segmentId) : byOffset;
    }
  }

  private record Objects(ObjectName any, Map<ObjectType, Long> sizes) {
    /** Returns true if the log can be read. */
    boolean isReadable() {
      return sizes.containsKey(ObjectType.LOG)
          && (any.layout() != Layout.AIVEN || sizes.containsKey(ObjectType.MANIFEST));
    }
  }

  /** Adds the segments below a directory. */
  public void add(String name) {
    try {
      Path root = Path.of(name);
      if (!Files.isDirectory(root)) {
        problems.accept(name, "no such directory");
        return;
      }
      if (!add(new LocalObjects(root), "")) {
        problems.accept(name, "contains no segments of a tiered storage");
      }
    } catch (InvalidPathException e) {
      problems.accept(name, "invalid path: " + e.getReason());
    }
  }

  /**
   * Adds the segments of a directory if it is that of a partition, or of a topic with Aiven's
   * plugin. Returns false otherwise.
   */
  public boolean addIfTiered(Path directory) {
    Path name = directory.getFileName();
    if (name == null || !isTiered(directory, name.toString())) {
      return false;
    }
    Path parent = directory.getParent();
    add(new LocalObjects(parent == null ? Path.of("") : parent), name.toString());
    return true;
  }

  private static boolean isTiered(Path directory, String name) {
    if (ObjectName.isPartition(name)) {
      return hasObjects(directory);
    }
    if (!ObjectName.isPartition(name + "/0")) {
      return false;
    }
    try {
      return LocalDirectory.list(directory).stream()
          .anyMatch(
              each -> ObjectName.isPartition(name + "/" + each.getFileName()) && hasObjects(each));
    } catch (IOException e) { // the search runs into it again
      return false;
    }
  }

  private static boolean hasObjects(Path directory) {
    try {
      return LocalDirectory.list(directory).stream()
          .anyMatch(file -> ObjectName.isObject(String.valueOf(file.getFileName())));
    } catch (IOException e) { // the search runs into it again
      return false;
    }
  }

  /**
   * Adds the segments of a store. Leaves out partitions whose objects could not be listed, because
   * objects would seem to be missing.
   *
   * @param store the store
   * @param below the key below which objects are listed, or an empty text
   * @return false if all directories were listed, and none has segments
   */
  public boolean add(ObjectStore store, String below) {
    Map<String, Listing> listings = new TreeMap<>();
    List<String> others = new ArrayList<>();
    Map<String, IOException> unlisted =
        store.list(below, (key, size) -> list(listings, others, key, size));
    unlisted.forEach((directory, why) -> problems.accept(store.name(directory), Messages.of(why)));
    listings.keySet().removeAll(unlisted.keySet());
    boolean hasSegments = !listings.isEmpty();
    // A directory that was named twice is added once.
    listings.keySet().removeIf(directory -> partitions.containsKey(store.name(directory)));
    Map<String, TieredPartition> added = new HashMap<>();
    listings.forEach((directory, listing) -> added.put(directory, add(store, directory, listing)));
    for (String key : others) {
      String directory = key.substring(0, Math.max(0, key.lastIndexOf('/')));
      TieredPartition partition = added.get(directory);
      if (partition != null) {
        partition.add(orphan(store.name(key), "the object belongs to no segment"));
      }
    }
    return hasSegments || !unlisted.isEmpty();
  }

  private static void list(
      Map<String, Listing> listings, List<String> others, String key, long size) {
    ObjectName name = ObjectName.parse(key);
    if (name == null) {
      others.add(key);
      return;
    }
    listings
        .computeIfAbsent(name.directory(), directory -> new Listing(name))
        .segments
        .computeIfAbsent(
            new SegmentKey(name.baseOffset(), name.segmentId()),
            segment -> new Objects(name, new EnumMap<>(ObjectType.class)))
        .sizes
        .put(name.type(), size);
  }

  private static FileFault orphan(String name, String why) {
    Fault fault = Fault.of(TieredReason.TIERED_OBJECT_ORPHAN, 0, Fault.UNKNOWN, why);
    return new FileFault(name, fault.asFinding());
  }

  private TieredPartition add(ObjectStore store, String directory, Listing listing) {
    TieredPartition partition = new TieredPartition(store.name(directory), listing.any);
    partitions.put(partition.name(), partition);
    Set<Long> readable = new TreeSet<>();
    listing.segments.forEach(
        (key, objects) -> {
          if (objects.isReadable()) {
            readable.add(key.baseOffset());
          }
        });
    listing.segments.forEach(
        (key, objects) -> {
          if (objects.isReadable() || !readable.contains(key.baseOffset())) {
            partition.add(
                new TieredSegment(store, objects.any(), objects.sizes(), partition, keys));
            bytes += objects.sizes().getOrDefault(ObjectType.LOG, 0L);
            return;
          }
          for (ObjectType type : objects.sizes().keySet()) {
            partition.add(
                orphan(
                    store.name(objects.any().key(type)),
                    "the segment is not complete, another one starts at the same offset"));
          }
        });
    partition.findTopic();
    return partition;
  }

  /** Returns true if a directory of this name may have the objects of a partition. */
  public static boolean isPartition(String directory) {
    return ObjectName.isPartition(directory);
  }

  /** Returns true if a file name is that of an object of a segment. */
  public static boolean isObject(String fileName) {
    return ObjectName.isObject(fileName);
  }

  /**
   * Returns the segments, by partition and offset, without the histories of their partitions. They
   * can be checked one by one.
   */
  public List<Segment> segments() {
    List<Segment> segments = new ArrayList<>();
    partitions.values().forEach(partition -> segments.addAll(partition.segments()));
    return segments;
  }

  /**
   * Returns the segments that state the topics of their partitions, at most one of each partition.
   * A collection that has this segment and others of the partition knows the same topic.
   */
  public List<Segment> namingSegments() {
    List<Segment> naming = new ArrayList<>();
    for (TieredPartition partition : partitions.values()) {
      TieredSegment segment = partition.namedBy();
      if (segment != null) {
        naming.add(segment);
      }
    }
    return naming;
  }

  /**
   * Returns the segments, by partition and offset.
   *
   * @param local segments on the disk of a broker, whose partitions may continue the tiered ones
   */
  public List<Segment> segments(Stream<Segment> local) {
    Map<Partition, Long> starts = new LinkedHashMap<>();
    if (!partitions.isEmpty()) {
      local.forEach(
          segment -> {
            Partition of = segment.partition();
            if (of != null) {
              starts.merge(of, segment.baseOffset(), Math::min);
            }
          });
    }
    List<Segment> segments = new ArrayList<>();
    for (TieredPartition partition : partitions.values()) {
      starts.forEach(
          (other, start) -> {
            if (other.topic().equals(partition.topic()) && other.number() == partition.number()) {
              partition.local(other, start);
            }
          });
      partition.readHistory();
      segments.addAll(partition.segments());
    }
    return segments;
  }

  /** Returns the total size of the logs in bytes. */
  public long bytes() {
    return bytes;
  }
}
