// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import io.github.batchvalidator.audit.report.Messages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A partition in a directory of a broker, named {@code TOPIC-PARTITION}. */
public final class PartitionDirectory implements Partition {
  private static final Pattern NAME = Pattern.compile("(.+)-([0-9]{1,10})");
  private static final Pattern SEGMENT = Pattern.compile("([0-9]{20})\\.log");
  private static final Pattern PRODUCER_SNAPSHOT = Pattern.compile("([0-9]{20})\\.snapshot");
  private static final Pattern OFFSET = Pattern.compile("[0-9]{1,18}");
  private static final String LARGEST = "09223372036854775807";
  private static final String LEADER_EPOCHS = "leader-epoch-checkpoint";

  private static final String METADATA = "partition.metadata";
  private static final String TOPIC_ID = "topic_id:";

  /** Lists the partitions that the cleaner has compacted, beside their directories. */
  private static final String CLEANER_OFFSETS = "cleaner-offset-checkpoint";

  private static final String HIGH_WATERMARKS = "replication-offset-checkpoint";

  /** The checkpoint of log starts beside the directories. */
  public static final String LOG_STARTS = "log-start-offset-checkpoint";

  /** Checkpoints beside the directories of partitions, and what their offsets are. */
  private static final Map<String, String> END_CHECKPOINTS =
      Map.of(
          "recovery-point-offset-checkpoint",
          "the recovery point",
          HIGH_WATERMARKS,
          "the high watermark",
          LOG_STARTS,
          "the start of the log");

  /** The topics of Kafka itself that are compacted. */
  private static final Set<String> COMPACTED = Set.of("__consumer_offsets", "__transaction_state");

  private final Directory directory;
  private final String topic;
  private final String number;

  private PartitionDirectory(Directory directory, String topic, String number) {
    this.directory = directory;
    this.topic = topic;
    this.number = number;
  }

  /** Returns the partition of a directory, or null if its name is not that of a partition. */
  public static @Nullable PartitionDirectory of(Directory directory) {
    Matcher name = NAME.matcher(directory.lastName());
    return name.matches() ? new PartitionDirectory(directory, name.group(1), name.group(2)) : null;
  }

  /** Returns the partition of a directory of this machine, or null as above. */
  public static @Nullable PartitionDirectory of(Path directory) {
    return of(new LocalDirectory(directory));
  }

  /** Returns the topic that the name of a directory states, or an empty text. */
  public static String topic(Directory directory) {
    PartitionDirectory partition = of(directory);
    return partition == null ? "" : partition.topic();
  }

  @Override
  public String name() {
    return directory.name();
  }

  @Override
  public String directory() {
    return topic + "-" + number;
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public int number() {
    try {
      return Integer.parseInt(number);
    } catch (NumberFormatException tooLarge) {
      return -1;
    }
  }

  @Override
  public String topicId() {
    return linesOrNone(directory.file(METADATA))
        .filter(line -> line.startsWith(TOPIC_ID))
        .map(line -> line.substring(TOPIC_ID.length()).trim())
        .findFirst()
        .orElse("");
  }

  /** Returns the lines of a file, or none if it does not exist or cannot be read. */
  private static Stream<String> linesOrNone(@Nullable StoredFile file) {
    try {
      return lines(file);
    } catch (IOException unreadable) {
      return Stream.empty();
    }
  }

  /** Returns the lines of a file, or none if it does not exist. */
  private static Stream<String> lines(@Nullable StoredFile file) throws IOException {
    if (file == null) {
      return Stream.empty();
    }
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(file.open(), StandardCharsets.UTF_8))) {
      return in.lines().toList().stream();
    } catch (NoSuchFileException gone) {
      return Stream.empty();
    } catch (IOException | RuntimeException e) {
      throw new IOException(file.name() + ": " + Messages.of(e), e);
    }
  }

  @Override
  public boolean isCompacted() {
    try {
      return showsCompaction();
    } catch (IOException unreadable) {
      return false;
    }
  }

  @Override
  public boolean showsCompaction() throws IOException {
    return COMPACTED.contains(topic) || offset(lines(directory.sibling(CLEANER_OFFSETS))) >= 0;
  }

  /** Returns the high watermark that the log directory has for the partition, or -1. */
  public long highWatermark() throws IOException {
    return checkpoint(HIGH_WATERMARKS);
  }

  /** Returns the start of the log that the log directory has for the partition, or -1. */
  public long logStart() throws IOException {
    return checkpoint(LOG_STARTS);
  }

  /** Returns the offset up to which the cleaner has compacted the partition, or -1. */
  public long compactedTo() throws IOException {
    return checkpoint(CLEANER_OFFSETS);
  }

  @Override
  public long checkpoint(String name) throws IOException {
    return offset(lines(directory.sibling(name)));
  }

  /** Returns the offset that the lines of a checkpoint have for the partition, or -1. */
  private long offset(Stream<String> lines) {
    String start = topic + " " + number + " ";
    return lines
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).trim())
        .filter(offset -> OFFSET.matcher(offset).matches())
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(-1);
  }

  @Override
  public List<EndClaim> endClaims(Consumer<IOException> unread) {
    List<EndClaim> claims = new ArrayList<>();
    END_CHECKPOINTS.forEach(
        (name, what) -> {
          try {
            long offset = checkpoint(name);
            claims.add(new EndClaim(name + " has " + offset + " as " + what, offset));
          } catch (IOException e) {
            unread.accept(e);
          }
        });
    return claims;
  }

  /** Returns the segment with a base offset, which is not open. */
  public Segment segment(long base) {
    return directory.segment(SegmentNames.of(base), this);
  }

  /** Returns the names of all files in the directory. */
  public List<String> files() throws IOException {
    return directory.files();
  }

  @Override
  public @Nullable StoredFile file(String name) {
    return directory.file(name);
  }

  @Override
  public @Nullable StoredFile leaderEpochs() {
    return directory.file(LEADER_EPOCHS);
  }

  @Override
  public NavigableSet<Long> segmentOffsets() throws IOException {
    return new TreeSet<>(named(SEGMENT).keySet());
  }

  @Override
  public NavigableMap<Long, StoredFile> producerSnapshots() throws IOException {
    NavigableMap<Long, StoredFile> found = new TreeMap<>();
    named(PRODUCER_SNAPSHOT)
        .forEach(
            (offset, name) -> {
              StoredFile snapshot = directory.file(name);
              if (snapshot != null) {
                found.put(offset, snapshot);
              }
            });
    return found;
  }

  /** Returns the names of files that start with an offset, by that offset. */
  private Map<Long, String> named(Pattern pattern) throws IOException {
    Map<Long, String> found = new HashMap<>();
    for (String file : directory.files()) {
      Matcher name = pattern.matcher(file);
      if (name.matches() && name.group(1).compareTo(LARGEST) <= 0) {
        found.put(Long.parseLong(name.group(1)), file);
      }
    }
    return found;
  }
}
