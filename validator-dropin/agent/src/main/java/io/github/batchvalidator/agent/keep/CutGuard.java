// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keeps what recovery is about to cut or delete. Never throws: a cut that cannot be kept is logged
 * and counted, and recovery goes on. Thread-safe.
 */
public final class CutGuard {
  private static final String LOG = ".log";
  private static final List<String> COMPANIONS = List.of(".txnindex", ".snapshot");

  /**
   * The largest part of a partition's name in the name of a file. With its other parts, a name then
   * stays below 255 bytes, which is what file systems take. Kafka allows topics of 249 bytes.
   */
  private static final int MOST_NAME = 160;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmssSSS").withZone(ZoneOffset.UTC);

  /** A cut of the bytes of a segment from one position to another. */
  private record Cut(Path partition, Path segment, long from, long size, CutCause cause) {}

  private final KeptFiles files;
  private final boolean enforce;
  private final CutReport report;
  private final Clock clock;

  CutGuard(KeptFiles files, boolean enforce, CutReport report, Clock clock) {
    this.files = files;
    this.enforce = enforce;
    this.report = report;
    this.clock = clock;
  }

  /**
   * Keeps the rest of a segment that is about to be cut.
   *
   * @param segment the segment file
   * @param from the first byte that is cut
   * @param cause why it is cut
   */
  public void keepRest(Path segment, long from, CutCause cause) {
    Path partition = parent(segment);
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ)) {
      long size = channel.size();
      if (from >= size) {
        return;
      }
      boolean nothingLost = !hasLaterSegment(segment) && !SoundBatches.isIn(channel, from, size);
      if (nothingLost) {
        report.torn(segment, from, size);
      } else if (!enforce) {
        report.observed(segment, size - from, cause);
      } else {
        copyRest(partition, segment, channel, from, size, cause);
      }
    } catch (IOException | RuntimeException | Error e) {
      report.lost(segment, cause, e);
    }
  }

  private void copyRest(
      Path partition, Path segment, FileChannel channel, long from, long size, CutCause cause)
      throws IOException {
    Path place = files.placeOf(partition);
    Path kept = KeptFiles.free(place, name(partition, segment), LOG);
    files.reserve(place, kept, size - from);
    try {
      KeptFiles.copy(channel, from, size, kept);
    } finally {
      files.release(kept);
    }
    describe(kept, new Cut(partition, segment, from, size, cause), "a copy");
    report.kept(partition, segment, size - from, cause, kept);
  }

  /**
   * Keeps segments that are about to be deleted, by hard links.
   *
   * @param segments the segment files
   * @param cause why they are deleted
   */
  public void keepDeleted(List<Path> segments, CutCause cause) {
    for (Path segment : segments) {
      Path partition = parent(segment);
      try {
        long size = Files.size(segment);
        if (size > 0 && !enforce) {
          report.observed(segment, size, cause);
        } else if (size > 0) {
          link(partition, segment, size, cause);
        }
      } catch (IOException | RuntimeException | Error e) {
        report.lost(segment, cause, e);
      }
    }
  }

  private void link(Path partition, Path segment, long size, CutCause cause) throws IOException {
    Path place = files.placeOf(partition);
    String start = name(partition, segment);
    Path kept = KeptFiles.free(place, start, LOG);
    files.reserve(place, kept, size);
    try {
      Files.createLink(kept, segment);
    } finally {
      files.release(kept);
    }
    linkCompanions(place, start, segment);
    describe(kept, new Cut(partition, segment, 0, size, cause), "a hard link");
    report.kept(partition, segment, size, cause, kept);
  }

  /** Without its companions, the segment is kept all the same. */
  private void linkCompanions(Path place, String start, Path segment) {
    for (String suffix : COMPANIONS) {
      Path other = segment.resolveSibling(base(segment) + suffix);
      try {
        if (Files.exists(other)) {
          Files.createLink(KeptFiles.free(place, start, suffix), other);
        }
      } catch (IOException | RuntimeException e) {
        report.incomplete(other, e);
      }
    }
  }

  /** Without a description, the bytes are kept all the same. */
  private void describe(Path kept, Cut cut, String how) {
    String text =
        String.join(
            "\n",
            "partition: " + cut.partition.getFileName(),
            "segment: " + cut.segment,
            "bytes: " + cut.from + " to " + cut.size,
            "reason: " + cut.cause.sentence(),
            "kept as: " + how + ", " + kept,
            "look at it: ./check " + kept,
            "delete it: nobody does but you. A hard link holds its disk space after Kafka's"
                + " deletion.",
            "");
    try {
      Files.writeString(Path.of(kept + ".txt"), text);
    } catch (IOException | RuntimeException e) {
      report.incomplete(kept, e);
    }
  }

  private String name(Path partition, Path segment) {
    return KeptFiles.PREFIX
        + shortened(String.valueOf(partition.getFileName()))
        + "-"
        + TIME.format(clock.instant())
        + "-"
        + base(segment);
  }

  private static String shortened(String partition) {
    int half = MOST_NAME / 2;
    return partition.length() <= MOST_NAME
        ? partition
        : partition.substring(0, half) + ".." + partition.substring(partition.length() - half);
  }

  private static String base(Path segment) {
    String name = String.valueOf(segment.getFileName());
    return name.endsWith(LOG) ? name.substring(0, name.length() - LOG.length()) : name;
  }

  private static Path parent(Path segment) {
    Path parent = segment.toAbsolutePath().getParent();
    return parent == null ? segment : parent;
  }

  /** Returns whether the directory has a segment after this one. */
  private static boolean hasLaterSegment(Path segment) throws IOException {
    List<String> later = new ArrayList<>();
    try (Stream<Path> all = Files.list(parent(segment))) {
      all.map(each -> each.getFileName().toString())
          .filter(each -> each.endsWith(LOG))
          .filter(each -> each.compareTo(String.valueOf(segment.getFileName())) > 0)
          .forEach(later::add);
    }
    return !later.isEmpty();
  }
}
