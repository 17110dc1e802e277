// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The paths that are not checked, or not as partitions. They do not change the exit code. */
public final class SearchNotes {
  private static final String NOTHING_LEFT = "not a segment; name *.log files or their directory";

  /**
   * The names of directories that a broker deletes, fills with a moved partition, or does not know.
   */
  private static final Pattern SET_ASIDE =
      Pattern.compile(".+-[0-9]+\\.[^.]+-(delete|future|stray)");

  private final List<String> skipped = new ArrayList<>();
  private final Set<String> setAside = new LinkedHashSet<>();
  private final Set<String> otherNames = new LinkedHashSet<>();
  private final Set<String> filesOnly = new LinkedHashSet<>();

  /** Adds a named file that is no segment, for example an index. */
  public void skipped(String file) {
    skipped.add(file);
  }

  /** Adds the directory of a file that a search found. */
  public void searched(Directory directory, String fileName) {
    if (SET_ASIDE.matcher(directory.lastName()).matches()) {
      setAside.add(directory.name());
    } else if (SegmentNames.isSegment(fileName) && PartitionDirectory.of(directory) == null) {
      otherNames.add(directory.name());
    }
  }

  /** Adds the directory of a file that the user named. */
  public void named(Directory directory, String fileName) {
    if (SegmentNames.isSegment(fileName) && PartitionDirectory.of(directory) != null) {
      filesOnly.add(directory.name());
    }
  }

  /**
   * Passes on a note for each kind of path. If no path leads to a segment, passes on a problem
   * instead.
   *
   * @param paths the number of paths that the user named
   * @param problems receives the first path and what is wrong with it
   * @param notes receives the notes
   */
  public void report(int paths, BiConsumer<String, String> problems, Consumer<String> notes) {
    if (!skipped.isEmpty() && skipped.size() == paths) {
      problems.accept(skipped.get(0), NOTHING_LEFT);
      return;
    }
    if (!skipped.isEmpty()) {
      notes.accept("skipped, not a segment: " + first(skipped));
    }
    if (!setAside.isEmpty()) {
      notes.accept(
          "checked file by file, because a broker deletes, moves or does not know the partition: "
              + first(setAside));
    }
    if (!otherNames.isEmpty()) {
      notes.accept(
          "checked file by file, because the directory is not named TOPIC-PARTITION: "
              + first(otherNames));
    }
    if (!filesOnly.isEmpty()) {
      notes.accept(
          "checked file by file; name the directory to check the partition as a whole: "
              + first(filesOnly));
    }
  }

  private static String first(Iterable<String> names) {
    String first = names.iterator().next();
    int more = -1;
    for (String ignored : names) {
      more++;
    }
    return more == 0 ? first : first + " and " + more + " more";
  }
}
