// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.audit.tiered.ObjectStore;
import io.github.batchvalidator.audit.tiered.TieredFiles;
import io.github.batchvalidator.spark.storage.Folder;
import io.github.batchvalidator.spark.storage.HadoopObjects;
import io.github.batchvalidator.spark.storage.ListedObject;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * A store whose list is known already, so that a task does not list the objects again.
 *
 * @param store reads the objects
 * @param objects the list
 */
record KnownObjects(ObjectStore store, List<ListedObject> objects) implements ObjectStore {
  /** Returns a collection of the segments of some objects. */
  static TieredFiles files(
      Storage storage, Folder root, List<ListedObject> objects, DataKeys keys) {
    // No problem can arise without a request for the list.
    TieredFiles files = new TieredFiles((name, why) -> {}, keys);
    files.add(new KnownObjects(new HadoopObjects(storage, root), objects), "");
    return files;
  }

  /** Returns the segment of a reference. */
  static Segment segment(Storage storage, TieredRef ref, DataKeys keys) {
    return files(storage, ref.root(), ref.objects(), keys).segments().stream()
        .filter(segment -> segment.name().equals(ref.name()))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public Map<String, IOException> list(String below, Visitor visitor) {
    objects.forEach(object -> visitor.object(object.key(), object.bytes()));
    return Map.of();
  }

  @Override
  public long size(String key) throws IOException {
    return store.size(key);
  }

  @Override
  public InputStream open(String key, long position) throws IOException {
    return store.open(key, position);
  }

  @Override
  public String name(String key) {
    return store.name(key);
  }
}
