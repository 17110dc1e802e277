// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A regular file of this machine as it was at some time.
 *
 * @param inode the number of the file, which a file of the same name does not have, or 0 if the
 *     file system has no such numbers
 * @param size the size in bytes
 * @param modifiedMs the time of the last change, in milliseconds since the epoch
 */
public record FileState(long inode, long size, long modifiedMs) implements Serializable {
  private static final long FRESH_MS = TimeUnit.SECONDS.toMillis(2);
  private static final boolean HAS_INODES =
      FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
  private static final String BASIC = "size,lastModifiedTime,isRegularFile";
  private static final String NAMES = HAS_INODES ? "unix:ino," + BASIC : BASIC;

  /**
   * Returns the state of a file. Fails if it is a broken link, or if it is not a regular file,
   * which might block.
   */
  public static FileState of(Path file) throws IOException {
    Map<String, Object> all;
    try {
      all = Files.readAttributes(file, NAMES);
    } catch (NoSuchFileException gone) {
      if (Files.isSymbolicLink(file)) {
        throw new IOException("broken symbolic link", gone);
      }
      throw gone;
    }
    if (!Boolean.TRUE.equals(all.get("isRegularFile"))) {
      throw new IOException("not a regular file");
    }
    Object inode = all.get("ino");
    Object modified = all.get("lastModifiedTime");
    Object size = all.get("size");
    return new FileState(
        inode instanceof Long number ? number : 0,
        size instanceof Long number ? number : 0,
        modified instanceof FileTime time ? time.toMillis() : 0);
  }

  /** Looks for a file that was not opened. */
  static Segment.Look look(Path file) {
    return Files.exists(file) ? Segment.Look.SAME : Segment.Look.REPLACED;
  }

  /**
   * Compares the file with this state.
   *
   * @param bytes the size of what was read
   */
  public Segment.Look lookAgain(Path file, long bytes) {
    FileState now;
    try {
      now = of(file);
    } catch (NoSuchFileException gone) {
      return Segment.Look.REPLACED;
    } catch (IOException unknown) {
      return Segment.Look.SAME;
    }
    if (now.inode != inode) {
      return Segment.Look.REPLACED;
    }
    boolean isSame = now.size == bytes && now.modifiedMs == modifiedMs;
    return isSame ? Segment.Look.SAME : Segment.Look.WRITTEN;
  }

  /** Returns true if a file was changed in the last seconds. */
  public static boolean isFresh(Path file) {
    try {
      return System.currentTimeMillis() - of(file).modifiedMs < FRESH_MS;
    } catch (IOException e) {
      return false;
    }
  }
}
