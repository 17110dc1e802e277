// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.util.Locale;
import java.util.regex.Pattern;

/** The names of files in the directories of a broker. */
public final class SegmentNames {
  /** The end of the name of a segment. */
  public static final String EXTENSION = ".log";

  /** The name of a segment in the directory of a partition. */
  private static final Pattern SEGMENT = Pattern.compile("[0-9]{20}\\.log");

  private static final Pattern METADATA_SNAPSHOT =
      Pattern.compile("[0-9]{20}-[0-9]{10}\\.checkpoint");

  /** The start of the names of the files in which the agent keeps what a recovery cuts. */
  private static final String KEPT = "batchvalidator-kept-";

  /**
   * The names of the files that a search finds: segments, and snapshots of KRaft. Kept cuts are in
   * the directory of a log by default, but not a part of the log.
   */
  private static final Pattern SEARCHED =
      Pattern.compile("(?!" + KEPT + ").*\\.log|" + METADATA_SNAPSHOT.pattern());

  /**
   * The names of files that a broker keeps beside segments, also while it replaces or deletes them.
   * Snapshots of a KRaft log ({@code *.checkpoint}) are not among them, because they consist of
   * batches.
   */
  private static final Pattern NOT_A_SEGMENT =
      Pattern.compile(
          "(.*\\.(index|timeindex|txnindex|snapshot)|.*-checkpoint|partition\\.metadata"
              + "|meta\\.properties|quorum-state|\\.lock|\\.kafka_cleanshutdown)"
              + "(\\.(tmp|deleted|cleaned|swap))?");

  private SegmentNames() {}

  /** Returns the name of the segment that starts at an offset. */
  public static String of(long baseOffset) {
    return String.format(Locale.ROOT, "%020d%s", baseOffset, EXTENSION);
  }

  /** Returns true if a file of a partition's directory is one of its segments. */
  public static boolean isSegment(String fileName) {
    return SEGMENT.matcher(fileName).matches();
  }

  /** Returns the base offset that the name of a segment states, or 0 for other names. */
  static long baseOffset(String fileName) {
    try {
      String digits = fileName.substring(0, Math.max(0, fileName.length() - EXTENSION.length()));
      return isSegment(fileName) ? Long.parseLong(digits) : 0;
    } catch (NumberFormatException tooLarge) {
      return 0;
    }
  }

  /**
   * Returns true for a snapshot of KRaft. Its name has the last offset and epoch that it covers.
   */
  static boolean isMetadataSnapshot(String fileName) {
    return METADATA_SNAPSHOT.matcher(fileName).matches();
  }

  /** Returns true if a search below a directory finds the file. */
  public static boolean isSearched(String fileName) {
    return SEARCHED.matcher(fileName).matches();
  }

  /** Returns true for a file that is known to be no segment, even if the user names it. */
  public static boolean isOther(String fileName) {
    return NOT_A_SEGMENT.matcher(fileName).matches();
  }
}
