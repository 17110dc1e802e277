// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.File;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of recovery over all log directories: bytes, rate and time left.
 *
 * <p>The bytes to recover of a log directory are estimated when its first segment is recovered,
 * from the recovery points and the sizes of the segments ({@link UnflushedBytes}). Thread-safe.
 */
final class RecoveryProgress {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveryProgress.class);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final double MIB = 1 << 20;

  private final LongSupplier nanoTime;
  private final Set<File> directories = new HashSet<>();
  private final Map<File, UnflushedBytes> partitions = new HashMap<>();
  private long done;
  private long startedAt;
  private long nextLineAt;

  /** Creates the progress of a broker. */
  RecoveryProgress() {
    this(System::nanoTime);
  }

  RecoveryProgress(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Adds a segment and logs a line every ten seconds. */
  void recovered(File fileOfSegment, long bytes) {
    String line = add(fileOfSegment, bytes);
    if (line != null) {
      LOG.info(line);
    }
  }

  /** {@return the line to log now, or null} */
  synchronized @Nullable String add(File fileOfSegment, long bytes) {
    File partition = fileOfSegment.getAbsoluteFile().getParentFile();
    if (!UnflushedBytes.isCounted(partition)) {
      return null;
    }
    long now = nanoTime.getAsLong();
    if (directories.isEmpty()) {
      startedAt = now;
      nextLineAt = now + LINE_NANOS;
    }
    File logDirectory = partition.getParentFile();
    if (logDirectory != null && directories.add(logDirectory)) {
      partitions.putAll(UnflushedBytes.in(logDirectory));
    }
    UnflushedBytes unflushed = partitions.get(partition);
    if (unflushed != null) {
      unflushed.subtract(fileOfSegment, bytes);
    }
    done += bytes;
    if (now - nextLineAt < 0) {
      return null;
    }
    nextLineAt = now + LINE_NANOS;
    return describe(now);
  }

  private String describe(long now) {
    double seconds = (now - startedAt) / 1e9;
    double rate = seconds > 0 ? done / seconds : 0;
    long left = bytesLeft();
    return String.format(
        Locale.ROOT,
        "Recovered %.0f of %.0f MiB at %.0f MiB/s, about %d s left",
        done / MIB,
        (done + left) / MIB,
        rate / MIB,
        secondsLeft(left, rate));
  }

  private static long secondsLeft(long left, double rate) {
    return rate <= 0 ? 0 : (long) Math.ceil(left / rate);
  }

  /** {@return the bytes that are still to be recovered, estimated} */
  synchronized long bytesLeft() {
    partitions.values().removeIf(UnflushedBytes::isDone);
    return partitions.values().stream().mapToLong(UnflushedBytes::bytes).sum();
  }

  /** {@return the seconds that this takes at the rate so far, or 0} */
  synchronized long secondsLeft() {
    double seconds = (nanoTime.getAsLong() - startedAt) / 1e9;
    return secondsLeft(bytesLeft(), seconds > 0 ? done / seconds : 0);
  }
}
