// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A partition in a directory of a broker, named {@code TOPIC-PARTITION}. */
public final class PartitionDirectory implements Partition {
  private static final Pattern NAME = Pattern.compile("(.+)-([0-9]{1,10})");
  private static final Pattern PRODUCER_SNAPSHOT = Pattern.compile("([0-9]{20})\\.snapshot");
  private static final String LEADER_EPOCHS = "leader-epoch-checkpoint";

  private static final String METADATA = "partition.metadata";
  private static final String TOPIC_ID = "topic_id:";

  /** Lists the partitions that the cleaner has compacted, beside their directories. */
  private static final String CLEANER_OFFSETS = "cleaner-offset-checkpoint";

  /** The topics of Kafka itself that are compacted. */
  private static final Set<String> COMPACTED =
      Set.of("__consumer_offsets", "__transaction_state", "__share_group_state");

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
    return lines(directory.file(METADATA))
        .filter(line -> line.startsWith(TOPIC_ID))
        .map(line -> line.substring(TOPIC_ID.length()).trim())
        .findFirst()
        .orElse("");
  }

  /** Returns the lines of a file, or none if it does not exist or cannot be read. */
  private static Stream<String> lines(@Nullable StoredFile file) {
    if (file == null) {
      return Stream.empty();
    }
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(file.open(), StandardCharsets.UTF_8))) {
      return in.lines().toList().stream();
    } catch (IOException | RuntimeException e) {
      return Stream.empty();
    }
  }

  @Override
  public boolean isCompacted() {
    if (COMPACTED.contains(topic)) {
      return true;
    }
    String start = topic + " " + number + " ";
    return lines(directory.sibling(CLEANER_OFFSETS)).anyMatch(line -> line.startsWith(start));
  }

  @Override
  public @Nullable StoredFile leaderEpochs() {
    return directory.file(LEADER_EPOCHS);
  }

  @Override
  public NavigableMap<Long, StoredFile> producerSnapshots() throws IOException {
    NavigableMap<Long, StoredFile> found = new TreeMap<>();
    for (String file : directory.files()) {
      Matcher name = PRODUCER_SNAPSHOT.matcher(file);
      if (name.matches() && name.group(1).compareTo("09223372036854775807") <= 0) {
        StoredFile snapshot = directory.file(file);
        if (snapshot != null) {
          found.put(Long.parseLong(name.group(1)), snapshot);
        }
      }
    }
    return found;
  }
}
