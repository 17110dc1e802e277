// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentNames;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import io.github.batchvalidator.spark.storage.Folder;
import io.github.batchvalidator.spark.storage.HadoopObjects;
import io.github.batchvalidator.spark.storage.ListedObject;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A list of the tiered partitions to check, by name.
 *
 * <p>The heap grows by the names of all objects of each segment.
 */
final class TieredInventory {
  private final Storage storage;
  private final DataKeys keys;
  private final BiConsumer<String, String> problems;
  private final TreeMap<String, TieredPartition> partitions = new TreeMap<>();

  /** A tiered partition, and its segments in order. */
  record TieredPartition(
      Folder root, List<ListedObject> objects, Partition partition, List<TieredRef> segments) {}

  TieredInventory(Storage storage, DataKeys keys, BiConsumer<String, String> problems) {
    this.storage = storage;
    this.keys = keys;
    this.problems = problems;
  }

  /**
   * Adds the segments that a tiered storage keeps below a directory. Leaves out partitions whose
   * objects could not be listed, because objects would seem to be missing.
   *
   * @return false if all directories were listed, and none has segments
   */
  boolean add(Folder root, String below) {
    HadoopObjects store = new HadoopObjects(storage, root);
    Map<String, List<ListedObject>> directories = new TreeMap<>();
    Map<String, String> names = new HashMap<>();
    Map<String, IOException> unlisted =
        store.list(
            below,
            (key, bytes) -> {
              int slash = key.lastIndexOf('/');
              String directory = slash < 0 ? "" : key.substring(0, slash);
              String shared = names.computeIfAbsent(directory, each -> each);
              directories
                  .computeIfAbsent(shared, each -> new ArrayList<>())
                  .add(new ListedObject(shared, key.substring(slash + 1), bytes));
            });
    unlisted.forEach((directory, why) -> problems.accept(store.name(directory), Messages.of(why)));
    directories.keySet().removeAll(unlisted.keySet());
    directories.forEach((directory, objects) -> addPartition(root, directory, objects));
    return !unlisted.isEmpty()
        || directories.keySet().stream().anyMatch(each -> partitions.containsKey(root.child(each)));
  }

  private void addPartition(Folder root, String directory, List<ListedObject> objects) {
    String name = root.child(directory);
    if (!TieredFiles.isPartition(directory) || partitions.containsKey(name)) {
      return;
    }
    TieredFiles files = KnownObjects.files(storage, root, objects, keys);
    List<Segment> segments = files.segments();
    if (segments.isEmpty()) {
      return;
    }
    Map<String, List<ListedObject>> bySegment = new HashMap<>();
    objects.forEach(
        object ->
            bySegment.computeIfAbsent(stem(object.name()), each -> new ArrayList<>()).add(object));
    List<ListedObject> naming = new ArrayList<>();
    for (Segment segment : files.namingSegments()) {
      naming.addAll(bySegment.getOrDefault(stem(segment), List.of()));
    }
    List<TieredRef> refs = new ArrayList<>();
    for (Segment segment : segments) {
      List<ListedObject> own = bySegment.getOrDefault(stem(segment), List.of());
      List<ListedObject> needed = new ArrayList<>(own);
      if (!own.equals(naming)) {
        needed.addAll(naming);
      }
      long size =
          own.stream()
              .filter(object -> object.name().endsWith(SegmentNames.EXTENSION))
              .mapToLong(ListedObject::bytes)
              .findFirst()
              .orElse(0);
      refs.add(new TieredRef(root, needed, segment.name(), size));
    }
    Partition partition = segments.get(0).partition();
    if (partition != null) {
      partitions.put(name, new TieredPartition(root, objects, partition, refs));
    }
  }

  private static String stem(Segment segment) {
    return stem(segment.name().substring(segment.name().lastIndexOf('/') + 1));
  }

  /** Returns the part of a name that the objects of a segment have in common. */
  private static String stem(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** Returns the partitions by name. */
  Collection<TieredPartition> partitions() {
    return partitions.values();
  }
}
