// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The offsets that consumer groups have committed: the records of {@code __consumer_offsets}, which
 * a run passes on in the order of their offsets.
 *
 * <p>Commits of a transaction count when it commits. Damaged batches are left out, so that the
 * offset of a group may be an older one. A group whose key is longer than {@value
 * Payload#MAX_BYTES} bytes is left out, too.
 *
 * <p>Source: Kafka's {@code OffsetCommitKey} and {@code OffsetCommitValue}, all versions. Confined
 * to one thread.
 */
public final class CommittedOffsets implements Report {
  /** The topic of the groups. */
  public static final String TOPIC = "__consumer_offsets";

  /** Larger versions are keys of the metadata of groups. */
  private static final int MAX_KEY_VERSION = 1;

  /** The maximum number of offsets in memory; more are left out. */
  private static final int MAX_OFFSETS = 1_000_000;

  private final Map<Key, Long> offsets = new HashMap<>();
  private final Map<Long, List<Commit>> open = new HashMap<>();
  private @Nullable StoredBatch batch;

  private record Key(String topic, int partition, String group) {}

  /** A commit, or a removal if the offset is negative. */
  private record Commit(Key key, long offset) {}

  @Override
  public void batch(String file, StoredBatch next) {
    batch = next;
    StoredBatch.Control control = next.control();
    if (control != null && control.endsTransaction()) {
      List<Commit> commits = open.remove(next.producerId());
      if (commits != null && control.type() == StoredBatch.Control.COMMIT) {
        commits.forEach(this::apply);
      }
    }
  }

  @Override
  public void record(String file, StoredRecord next) {
    StoredBatch of = batch;
    if (of == null || of.control() != null) {
      return;
    }
    Commit commit = commit(next);
    if (commit == null) {
      return;
    }
    if (of.transactional()) {
      open.computeIfAbsent(of.producerId(), producer -> new ArrayList<>()).add(commit);
    } else {
      apply(commit);
    }
  }

  private void apply(Commit commit) {
    if (commit.offset < 0) {
      offsets.remove(commit.key);
    } else if (offsets.size() < MAX_OFFSETS || offsets.containsKey(commit.key)) {
      offsets.put(commit.key, commit.offset);
    }
  }

  private static @Nullable Commit commit(StoredRecord record) {
    Payload key = record.key();
    if (key == null || record.keySize() > key.size()) {
      return null;
    }
    try {
      ByteBuffer bytes = key.bytes();
      int version = bytes.getShort();
      if (version < 0 || version > MAX_KEY_VERSION) {
        return null;
      }
      String group = text(bytes);
      String topic = text(bytes);
      Key of = new Key(topic, bytes.getInt(), group);
      Payload value = record.value();
      return new Commit(of, value == null ? -1 : value.bytes().getLong(Short.BYTES));
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  private static String text(ByteBuffer bytes) {
    int size = bytes.getShort();
    if (size < 0 || size > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    String text = StandardCharsets.UTF_8.decode(bytes.slice(bytes.position(), size)).toString();
    bytes.position(bytes.position() + size);
    return text;
  }

  /**
   * Returns the groups that stand in a range of offsets, in the order of their names.
   *
   * @param from the first offset
   * @param to the offset after the last one
   */
  public List<String> groups(String topic, int partition, long from, long to) {
    Map<String, Long> found = new TreeMap<>();
    offsets.forEach(
        (key, offset) -> {
          if (key.topic.equals(topic)
              && key.partition == partition
              && offset >= from
              && offset < to) {
            found.put(key.group, offset);
          }
        });
    return List.copyOf(found.keySet());
  }
}
