// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The offsets that consumer groups have committed: the records of {@code __consumer_offsets}, which
 * a run passes on in the order of their offsets.
 *
 * <p>Commits of a transaction count when it commits, unless a later record has another offset of
 * the group. Damaged batches are left out, so that the offset of a group may be an older one. A
 * group whose key is longer than {@value Payload#MAX_BYTES} bytes is left out, and so are groups
 * beyond what an eighth of the heap can hold.
 *
 * <p>Source: Kafka's {@code OffsetCommitKey} and {@code OffsetCommitValue}, all versions. Confined
 * to one thread.
 */
public final class CommittedOffsets implements Report {
  /** The topic of the groups. */
  public static final String TOPIC = "__consumer_offsets";

  /** Larger versions are keys of the metadata of groups. */
  private static final int MAX_KEY_VERSION = 1;

  /** The memory of an offset with the names of its group and topic, generously. */
  private static final int OFFSET_BYTES = 1024;

  private static final int HEAP_PARTS = 8;

  /** The maximum number of offsets in memory; more are left out. */
  private final long maxOffsets;

  private final Map<Key, Commit> last = new HashMap<>();

  /** The commits of open transactions of a partition, by producer. */
  private final Map<Long, List<Commit>> open = new HashMap<>();

  private int openCommits;
  private String directory = "";
  private @Nullable StoredBatch batch;

  /** Creates offsets of which none is known. */
  public CommittedOffsets() {
    maxOffsets = Runtime.getRuntime().maxMemory() / HEAP_PARTS / OFFSET_BYTES;
  }

  private record Key(String topic, int partition, String group) {}

  /**
   * A commit, or a removal if the offset is negative.
   *
   * @param at the offset of the record
   */
  private record Commit(Key key, long offset, long at) {}

  @Override
  public void batch(String file, StoredBatch next) {
    batch = next;
    start(file.substring(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1));
    StoredBatch.Control control = next.control();
    if (control != null && control.endsTransaction()) {
      List<Commit> commits = open.remove(next.producerId());
      if (commits != null) {
        openCommits -= commits.size();
        if (control.type() == StoredBatch.Control.COMMIT) {
          commits.forEach(this::apply);
        }
      }
    }
  }

  /** Forgets the open transactions of another partition, or of another copy. */
  private void start(String next) {
    if (!next.equals(directory)) {
      directory = next;
      open.clear();
      openCommits = 0;
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
    if (!of.transactional()) {
      apply(commit);
    } else if (openCommits < maxOffsets) {
      open.computeIfAbsent(of.producerId(), producer -> new ArrayList<>()).add(commit);
      openCommits++;
    }
  }

  private void apply(Commit commit) {
    Commit known = last.get(commit.key);
    if (known == null ? last.size() < maxOffsets : known.at < commit.at) {
      last.put(commit.key, commit);
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
      long offset = value == null ? -1 : value.bytes().getLong(Short.BYTES);
      return new Commit(of, offset, record.offset());
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
   * @param from the first offset, at least 0
   * @param to the offset after the last one
   */
  public List<String> groups(String topic, int partition, long from, long to) {
    return last.values().stream()
        .filter(each -> each.key.topic.equals(topic) && each.key.partition == partition)
        .filter(each -> each.offset >= from && each.offset < to)
        .map(each -> each.key.group)
        .sorted()
        .toList();
  }
}
