// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A partition in a directory of a broker, named {@code TOPIC-PARTITION}. */
final class PartitionDirectory implements Partition {
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

  private final Path directory;
  private final String topic;
  private final String number;

  private PartitionDirectory(Path directory, String topic, String number) {
    this.directory = directory;
    this.topic = topic;
    this.number = number;
  }

  /** Returns the partition of a directory, or null if its name is not that of a partition. */
  static @Nullable PartitionDirectory of(Path directory) {
    Path last = directory.toAbsolutePath().normalize().getFileName();
    Matcher name = NAME.matcher(String.valueOf(last));
    return name.matches() ? new PartitionDirectory(directory, name.group(1), name.group(2)) : null;
  }

  @Override
  public String name() {
    return directory.toString();
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
    try (Stream<String> lines = Files.lines(directory.resolve(METADATA), StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.startsWith(TOPIC_ID))
          .map(line -> line.substring(TOPIC_ID.length()).trim())
          .findFirst()
          .orElse("");
    } catch (IOException | RuntimeException e) { // no file that says so
      return "";
    }
  }

  @Override
  public boolean isCompacted() {
    if (COMPACTED.contains(topic)) {
      return true;
    }
    Path parent = directory.toAbsolutePath().normalize().getParent();
    if (parent == null) {
      return false;
    }
    String start = topic + " " + number + " ";
    try (Stream<String> lines =
        Files.lines(parent.resolve(CLEANER_OFFSETS), StandardCharsets.UTF_8)) {
      return lines.anyMatch(line -> line.startsWith(start));
    } catch (IOException | RuntimeException e) { // no checkpoint that says so
      return false;
    }
  }

  @Override
  public @Nullable StoredFile leaderEpochs() {
    Path file = directory.resolve(LEADER_EPOCHS);
    return Files.isRegularFile(file) ? new LocalFile(file) : null;
  }

  @Override
  public NavigableMap<Long, StoredFile> producerSnapshots() throws IOException {
    NavigableMap<Long, StoredFile> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(
          file -> {
            Matcher name = PRODUCER_SNAPSHOT.matcher(String.valueOf(file.getFileName()));
            if (name.matches() && name.group(1).compareTo("09223372036854775807") <= 0) {
              found.put(Long.parseLong(name.group(1)), new LocalFile(file));
            }
          });
    }
    return found;
  }
}
