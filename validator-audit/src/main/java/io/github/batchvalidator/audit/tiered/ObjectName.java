// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of an object of a segment.
 *
 * @param layout the layout that has such names
 * @param directory the part of the key up to the last slash, the same for a partition
 * @param topic the topic; with Aiven's plugin a prefix of the store may precede it
 * @param topicId the topic id
 * @param partition the number of the partition
 * @param baseOffset the first offset of the segment
 * @param segmentId the id of the segment
 * @param type what the object holds
 */
record ObjectName(
    Layout layout,
    String directory,
    String topic,
    String topicId,
    int partition,
    long baseOffset,
    String segmentId,
    ObjectType type) {
  /** How the objects of a storage are named. */
  enum Layout {
    /** {@code TOPIC-PARTITION-TOPICID/OFFSET-SEGMENTID.TYPE}. */
    KAFKA("(?<topic>[^/]+)-(?<partition>[0-9]{1,10})-(?<topicId>[A-Za-z0-9_-]{22})"),
    /** {@code TOPIC-TOPICID/PARTITION/OFFSET-SEGMENTID.TYPE}, after any prefix. */
    AIVEN("(?<topic>[^/]+)-(?<topicId>[A-Za-z0-9_-]{22})/(?<partition>[0-9]{1,10})");

    private final Pattern directory;

    Layout(String directory) {
      this.directory = Pattern.compile("(?:.*/)?" + directory);
    }
  }

  private static final String SEGMENT =
      "(?<offset>[0-9]{20})-(?<id>[A-Za-z0-9_-]{22})\\.(?<type>.+)";
  private static final Pattern FILE = Pattern.compile(SEGMENT);

  /** Returns the name, or null if the key is not that of an object of a segment. */
  static @Nullable ObjectName parse(String key) {
    int slash = key.lastIndexOf('/');
    if (slash < 0) {
      return null;
    }
    Matcher file = FILE.matcher(key.substring(slash + 1));
    if (!file.matches()) {
      return null;
    }
    String directory = key.substring(0, slash);
    for (Layout layout : Layout.values()) {
      Matcher folder = layout.directory.matcher(directory);
      ObjectType type = ObjectType.of(layout, file.group("type"));
      if (type != null && folder.matches()) {
        return of(layout, directory, folder, file, type);
      }
    }
    return null;
  }

  private static @Nullable ObjectName of(
      Layout layout, String directory, Matcher folder, Matcher file, ObjectType type) {
    try {
      return new ObjectName(
          layout,
          directory,
          folder.group("topic"),
          folder.group("topicId"),
          Integer.parseInt(folder.group("partition")),
          Long.parseLong(file.group("offset")),
          file.group("id"),
          type);
    } catch (NumberFormatException tooLarge) {
      return null;
    }
  }

  /** Returns true if a file name is that of an object of a segment, in any layout. */
  static boolean isObject(String fileName) {
    return FILE.matcher(fileName).matches();
  }

  /** Returns true if a directory may be that of a partition. */
  static boolean isPartition(String directory) {
    for (Layout layout : Layout.values()) {
      if (layout.directory.matcher(directory).matches()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the key of another object of the segment. */
  String key(ObjectType other) {
    return String.format(
        Locale.ROOT, "%s/%020d-%s.%s", directory, baseOffset, segmentId, other.suffix());
  }
}
