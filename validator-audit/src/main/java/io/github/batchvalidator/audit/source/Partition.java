// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A partition whose segments can be compared with each other. All of its segments return the same
 * object.
 */
public interface Partition {
  /** Returns the name to show in reports. */
  String name();

  /** Returns the name of the directory that a broker keeps the partition in. */
  default String directory() {
    return topic() + "-" + number();
  }

  /** Returns the number of the partition. */
  int number();

  /** Returns the topic id as Kafka prints it, or an empty text if it is unknown. */
  String topicId();

  /** Returns what is known of a partition in a tiered storage, or null for other partitions. */
  default @Nullable RemoteLog remote() {
    return null;
  }

  /** Returns the topic. */
  String topic();

  /**
   * Returns true if the files show that the log was compacted, so that offsets may be missing.
   * False says nothing.
   */
  boolean isCompacted();

  /** Returns the same as {@link #isCompacted}, and fails if a file that shows it is unreadable. */
  default boolean showsCompaction() throws IOException {
    return isCompacted();
  }

  /** Returns a file in the directory of the partition, or null if there is none. */
  default @Nullable StoredFile file(String name) {
    return null;
  }

  /** Returns the checkpoint of leader epochs, or null if there is none. */
  @Nullable StoredFile leaderEpochs();

  /**
   * Returns offsets that files beside the directory of the partition name.
   *
   * @param unread receives the cause for each of these files that cannot be read
   */
  default List<EndClaim> endClaims(Consumer<IOException> unread) {
    return List.of();
  }

  /**
   * Returns the offset that a checkpoint beside the directory has for the partition, or -1. Fails
   * if the checkpoint is unreadable.
   *
   * @param name the name of the file, such as {@code replication-offset-checkpoint}
   */
  default long checkpoint(String name) throws IOException {
    return -1;
  }

  /**
   * Returns the base offsets in the names of the segments, or nothing if the segments may overlap.
   */
  default NavigableSet<Long> segmentOffsets() throws IOException {
    return Collections.emptyNavigableSet();
  }

  /** Returns the snapshots of producers by offset. A snapshot is the state before its offset. */
  NavigableMap<Long, StoredFile> producerSnapshots() throws IOException;
}
