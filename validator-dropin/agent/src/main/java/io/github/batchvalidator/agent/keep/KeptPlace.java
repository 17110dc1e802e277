// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import io.github.batchvalidator.agent.stored.StoredSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The check that the guard can keep files, for the preflight. Makes a hard link from a file in each
 * log directory to the place of kept files, and removes both.
 */
public final class KeptPlace {
  private static final String OK = "ok ";
  private static final String FIX = "FIX ";
  private static final String NOTE = "note ";
  private static final String PROBE = KeptFiles.PREFIX + "preflight-";

  /** A file that Kafka creates in each of {@code log.dirs} before it recovers a partition. */
  private static final String CHECKPOINT = "recovery-point-offset-checkpoint";

  private final @Nullable Path directory;
  private final long quota;

  private KeptPlace(StoredSettings settings) {
    this.directory = settings.keepDirectory();
    this.quota = settings.keepQuota();
  }

  /**
   * Checks the place of each log directory.
   *
   * @param settings the settings, which may keep nothing
   * @param logs the broker's log directories, or nothing if they are not known
   * @return sentences that start with {@code ok}, {@code note} or {@code FIX}; none if nothing is
   *     kept
   */
  public static List<String> examine(StoredSettings settings, List<Path> logs) {
    if (settings.keep() != StoredSettings.Mode.ENFORCE) {
      return List.of();
    }
    if (logs.isEmpty()) {
      return List.of(
          NOTE
              + "the place of kept files was not tried, because the log directories are not known:"
              + " add --server-properties FILE");
    }
    KeptPlace place = new KeptPlace(settings);
    Path outer = place.directory == null ? null : outer(place.directory, logs);
    if (outer != null) {
      return List.of(
          FIX
              + place.directory
              + " is inside of the log directory "
              + outer
              + ", where Kafka takes a directory for a partition and does not start");
    }
    return logs.stream().map(place::examine).toList();
  }

  private String examine(Path log) {
    if (!Files.isDirectory(log)) {
      return NOTE + "the log directory " + log + " does not exist, so no hard link was tried";
    }
    return tryIn(log, directory == null ? log : directory);
  }

  /**
   * {@return the log directory that contains a directory, or null}
   *
   * @param directory a directory, which may not exist
   * @param logs known log directories; others are found by a file that they have
   */
  static @Nullable Path outer(Path directory, List<Path> logs) {
    Path inner = real(directory);
    for (Path each : logs) {
      Path outer = real(each);
      if (inner.startsWith(outer) && !inner.equals(outer)) {
        return each;
      }
    }
    for (Path each = inner.getParent(); each != null; each = each.getParent()) {
      if (Files.exists(each.resolve(CHECKPOINT))) {
        return each;
      }
    }
    return null;
  }

  private String tryIn(Path log, Path place) {
    try {
      link(log, existing(place));
      long used = Files.isDirectory(place) ? KeptFiles.used(place) : 0;
      if (used >= quota) {
        return FIX
            + "the quota of "
            + quota
            + " bytes is used up in "
            + place
            + ", where "
            + used
            + " bytes are kept: delete files, or raise "
            + StoredSettings.KEEP_QUOTA;
      }
      return OK
          + "keep: hard links work from "
          + log
          + " to "
          + place
          + ", "
          + used
          + " of "
          + quota
          + " bytes are used";
    } catch (IOException | RuntimeException e) {
      return FIX + "nothing can be kept of " + log + ", because " + why(log, place) + ": " + e;
    }
  }

  private static void link(Path log, Path place) throws IOException {
    Path file = Files.createTempFile(log, PROBE, "");
    try {
      Path link = place.resolve(file.getFileName() + "-link");
      Files.createLink(link, file);
      Files.delete(link);
    } finally {
      Files.delete(file);
    }
  }

  private static String why(Path log, Path place) {
    String why = "no hard link can be made in " + place;
    try {
      boolean isSame = Files.getFileStore(existing(place)).equals(Files.getFileStore(log));
      return isSame ? why : place + " is on another file system";
    } catch (IOException | RuntimeException e) {
      return why;
    }
  }

  /** {@return the directory itself, or the one in which the guard would create it} */
  private static Path existing(Path place) {
    Path parent = place.getParent();
    return Files.exists(place) || parent == null ? place : existing(parent);
  }

  /** {@return the path without symbolic links, as far as it exists} */
  private static Path real(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    Path found = existing(absolute);
    try {
      return found.toRealPath().resolve(found.relativize(absolute));
    } catch (IOException e) {
      return absolute;
    }
  }
}
