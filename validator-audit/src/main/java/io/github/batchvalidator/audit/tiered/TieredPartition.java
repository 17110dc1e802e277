// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import io.github.batchvalidator.audit.report.TieredReason;
import io.github.batchvalidator.audit.source.LeaderEpochs;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.RemoteLog;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A partition in a tiered storage. */
final class TieredPartition implements Partition {
  private static final long UNKNOWN = -1;

  private final String name;
  private final ObjectName object;
  private final List<TieredSegment> segments = new ArrayList<>();
  private final List<FileFault> faults = new ArrayList<>();
  private String topic;

  /** The first segment whose manifest states the topic, or null. */
  private @Nullable TieredSegment namedBy;

  private final List<Partition> locals = new ArrayList<>();
  private long localStart = UNKNOWN;
  private NavigableMap<Long, Integer> history = empty();

  TieredPartition(String name, ObjectName object) {
    this.name = name;
    this.object = object;
    topic = object.topic();
  }

  void add(TieredSegment segment) {
    segments.add(segment);
  }

  /**
   * Looks for the first segment whose manifest states the topic. Most often the first one does. A
   * partition without such a manifest has one read per segment, which take time in parallel only.
   */
  void findTopic() {
    if (segments.isEmpty()) {
      return;
    }
    TieredSegment naming = segments.get(0);
    String stated = fitting(naming);
    if (stated == null) {
      naming =
          segments.parallelStream().filter(each -> fitting(each) != null).findFirst().orElse(null);
      stated = naming == null ? null : fitting(naming);
    }
    if (stated != null) {
      topic = stated;
      namedBy = naming;
    }
  }

  /** Returns the topic that the manifest of a segment states, or null if the name has another. */
  private @Nullable String fitting(TieredSegment segment) {
    String stated = segment.statedTopic();
    return stated != null && topic.endsWith(stated) ? stated : null;
  }

  /** Returns the segment that states the topic, or null if none does. */
  @Nullable TieredSegment namedBy() {
    return namedBy;
  }

  void add(FileFault fault) {
    faults.add(fault);
  }

  List<TieredSegment> segments() {
    return segments;
  }

  /**
   * Says where the same partition is on the disk of a broker. Several brokers may have it.
   *
   * @param other the local partition
   * @param start the offset at which the local log starts
   */
  void local(Partition other, long start) {
    String id = other.topicId();
    if (id.isEmpty() || id.equals(topicId())) {
      locals.add(other);
      localStart = Math.max(localStart, start);
      return;
    }
    TieredReason reason = TieredReason.TIERED_TOPIC_ID_MISMATCH;
    Fault fault = Fault.of(reason, 0, Fault.UNKNOWN, topicId(), id);
    faults.add(new FileFault(name, fault.asFinding()));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public int number() {
    return object.partition();
  }

  @Override
  public String topicId() {
    return object.topicId();
  }

  /** Returns false, because Kafka does not tier compacted topics. */
  @Override
  public boolean isCompacted() {
    return false;
  }

  /** Returns null, because each segment has a checkpoint of its own. */
  @Override
  public @Nullable StoredFile leaderEpochs() {
    return null;
  }

  /** Returns none, because each segment has a snapshot of its own. */
  @Override
  public NavigableMap<Long, StoredFile> producerSnapshots() {
    return new TreeMap<>();
  }

  @Override
  public RemoteLog remote() {
    return new RemoteLog(history, localStart, faults);
  }

  /**
   * Reads the latest history of the local partitions, or else of all segments. Requests two objects
   * of each segment, so it is done once, before the segments are checked.
   */
  void readHistory() {
    history = latest(locals.stream().map(local -> read(local::leaderEpochs)));
    if (history.isEmpty()) {
      history = latest(segments.parallelStream().map(segment -> read(segment::leaderEpochs)));
    }
  }

  /** Returns the history with the latest leader, the first one of several. */
  private static NavigableMap<Long, Integer> latest(Stream<NavigableMap<Long, Integer>> all) {
    return all.reduce(empty(), (one, other) -> isLater(other, one) ? other : one);
  }

  /** Returns true if a history has a later leader. */
  private static boolean isLater(
      NavigableMap<Long, Integer> epochs, NavigableMap<Long, Integer> than) {
    Map.Entry<Long, Integer> last = epochs.lastEntry();
    Map.Entry<Long, Integer> other = than.lastEntry();
    return last != null && (other == null || last.getValue() > other.getValue());
  }

  /** A source of a checkpoint. */
  @FunctionalInterface
  private interface Source {
    @Nullable StoredFile file() throws IOException;
  }

  /** Reads a checkpoint. Its faults are reported with its segment. */
  private static NavigableMap<Long, Integer> read(Source source) {
    try {
      StoredFile file = source.file();
      return file == null ? empty() : LeaderEpochs.read(file, (reason, operands) -> {});
    } catch (IOException e) {
      return empty();
    }
  }

  private static NavigableMap<Long, Integer> empty() {
    return Collections.emptyNavigableMap();
  }
}
