// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The topic id of a partition, and the entries of the checkpoint files beside its directory. */
final class SmallFiles {
  private static final String METADATA = "partition.metadata";
  private static final String HIGH_WATERMARK = "replication-offset-checkpoint";
  private static final String RECOVERY_POINT = "recovery-point-offset-checkpoint";
  private static final Pattern TOPIC_ID = Pattern.compile("[A-Za-z0-9_-]{22}");
  private static final int MAX_BYTES = 1 << 10;

  private final List<Copy> copies;
  private final Problems problems;

  SmallFiles(List<Copy> copies, Problems problems) {
    this.copies = copies;
    this.problems = problems;
  }

  /** Returns the largest log start offset that a copy states, or -1. */
  static long logStart(List<Copy> copies) {
    return largest(copies, PartitionDirectory.LOG_STARTS);
  }

  private static long largest(List<Copy> copies, String file) {
    return copies.stream().mapToLong(copy -> copy.checkpoint(file)).max().orElse(-1);
  }

  /** Writes the file with the topic id, if the copies that can be read agree. */
  void writeMetadata(PartitionWriter writer) throws IOException {
    Copy first = null;
    byte[] content = {};
    for (Copy copy : copies) {
      byte[] read = metadata(copy);
      if (read == null) {
        continue;
      }
      if (first != null && !copy.partition().topicId().equals(first.partition().topicId())) {
        problems.refused(
            Kind.DIFFERENT,
            0,
            0,
            "the topic id of "
                + copy.name()
                + " is "
                + copy.partition().topicId()
                + ", that of "
                + first.name()
                + " is "
                + first.partition().topicId());
      }
      if (first == null) {
        first = copy;
        content = read;
      }
    }
    if (first == null) {
      problems.note("no copy has a " + METADATA + " that can be read; a broker writes it");
    } else {
      writer.write(METADATA, content);
    }
  }

  private static byte @Nullable [] metadata(Copy copy) throws IOException {
    String id = copy.partition().topicId();
    if (!copy.hasTopicId() || !TOPIC_ID.matcher(id).matches()) {
      return null;
    }
    byte[] stated = ("version: 0\ntopic_id: " + id).getBytes(StandardCharsets.UTF_8);
    StoredFile file = copy.partition().file(METADATA);
    if (file == null) {
      return stated;
    }
    try (InputStream in = file.open()) {
      byte[] read = in.readNBytes(MAX_BYTES);
      String text = new String(read, StandardCharsets.ISO_8859_1);
      return text.strip().equals(new String(stated, StandardCharsets.ISO_8859_1)) ? read : null;
    }
  }

  /** Returns the entries for a log that ends at an offset. */
  List<String> checkpoints(long end) {
    String partition = copies.get(0).partition().topic() + " " + copies.get(0).partition().number();
    List<String> entries = new ArrayList<>();
    entries.add(RECOVERY_POINT + ": " + partition + " " + end);
    long committed = largest(copies, HIGH_WATERMARK);
    if (committed >= 0) {
      entries.add(HIGH_WATERMARK + ": " + partition + " " + Math.min(committed, end));
    }
    long start = logStart(copies);
    if (start > 0) {
      entries.add(PartitionDirectory.LOG_STARTS + ": " + partition + " " + Math.min(start, end));
    }
    return entries;
  }
}
