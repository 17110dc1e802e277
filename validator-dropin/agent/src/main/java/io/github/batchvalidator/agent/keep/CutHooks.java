// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import io.github.batchvalidator.agent.stored.StoredSettings;
import io.github.batchvalidator.agent.stored.StoredSide;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.slf4j.LoggerFactory;

/**
 * The methods that changed code of Kafka calls before it cuts or deletes. They never throw. Safe
 * for use by multiple threads.
 */
public final class CutHooks {
  private static final CutGuard GUARD = guard();

  private CutHooks() {}

  private static CutGuard guard() {
    StoredSettings settings = StoredSide.settings();
    KeptFiles files = new KeptFiles(settings.keepDirectory(), settings.keepQuota());
    boolean enforce = settings.keep() == StoredSettings.Mode.ENFORCE;
    return new CutGuard(files, enforce, CutReport.OF_JVM, Clock.systemUTC());
  }

  /**
   * Called before {@code LogSegment.recover} truncates a segment.
   *
   * @param segment the {@code LogSegment}
   * @param validBytes the size that remains
   */
  public static void truncating(Object segment, int validBytes) {
    quietly(() -> GUARD.keepRest(file(segment), validBytes, CutCause.TRUNCATED));
  }

  /**
   * Called before {@code LogLoader.recoverLog} empties a segment.
   *
   * @param segment the {@code LogSegment}
   */
  public static void emptying(Object segment) {
    quietly(() -> GUARD.keepRest(file(segment), 0, CutCause.EMPTIED));
  }

  /**
   * Called before {@code LogLoader.recoverLog} deletes the segments after a cut.
   *
   * @param segments the {@code LogSegment}s
   */
  public static void deletingAfterCut(Collection<?> segments) {
    quietly(() -> GUARD.keepDeleted(files(segments), CutCause.AFTER_CUT));
  }

  /**
   * Called before all segments of a log are deleted that ends before its start offset.
   *
   * @param segments the {@code LogSegment}s
   */
  public static void deletingBeforeStart(Collection<?> segments) {
    quietly(() -> GUARD.keepDeleted(files(segments), CutCause.BEFORE_START));
  }

  private static void quietly(Runnable keeping) {
    try {
      keeping.run();
    } catch (RuntimeException | Error e) {
      LoggerFactory.getLogger(CutHooks.class).error("Cannot keep what Kafka cuts", e);
    }
  }

  private static List<Path> files(Collection<?> segments) {
    List<Path> files = new ArrayList<>();
    segments.forEach(each -> files.add(file(each)));
    return files;
  }

  private static Path file(Object segment) {
    LogSegment each = (LogSegment) segment;
    String name = String.format(Locale.ROOT, "%020d.log", each.baseOffset());
    return each.offsetIndexFile().toPath().resolveSibling(name);
  }
}
