// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.print.Sizes;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A progress line on a terminal, redrawn twice a second.
 *
 * <p>{@link #add} is safe for all threads and counts even if no line is shown.
 */
final class Progress implements AutoCloseable {
  private static final long PERIOD_MS = 500;
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int MINUTES_PER_HOUR = 60;

  /** The number of seconds or minutes from which on the next unit is shown. */
  private static final int SHORT = 100;

  private static final String ERASE_LINE = "\r\u001b[K";

  private final PrintWriter terminal;
  private final boolean shown;
  private final long totalBytes;
  private final long startNanos = System.nanoTime();
  private final AtomicLong doneBytes = new AtomicLong();
  private final Timer timer = new Timer("progress", true);
  private boolean lineVisible;

  /**
   * Creates a progress line that is not shown yet.
   *
   * @param terminal the writer of stderr
   * @param shown true if stderr is a terminal; if false, no line is written
   * @param totalBytes the total size of all files, in bytes
   */
  Progress(PrintWriter terminal, boolean shown, long totalBytes) {
    this.terminal = terminal;
    this.shown = shown;
    this.totalBytes = totalBytes;
  }

  /** Starts the redraw timer if stderr is a terminal. */
  Progress start() {
    if (shown) {
      TimerTask task =
          new TimerTask() {
            @Override
            public void run() {
              show();
            }
          };
      timer.schedule(task, PERIOD_MS, PERIOD_MS);
    }
    return this;
  }

  /** Adds to the number of checked or skipped bytes. */
  void add(long bytes) {
    doneBytes.addAndGet(bytes);
  }

  private synchronized void show() {
    terminal.print(ERASE_LINE + line(doneBytes.get(), totalBytes, System.nanoTime() - startNanos));
    terminal.flush();
    lineVisible = true;
  }

  /** Formats the progress line. */
  static String line(long done, long total, long nanos) {
    double perSecond = nanos == 0 ? 0 : done * 1e9 / nanos;
    double percent = total == 0 ? 100 : Math.min(100, 100.0 * done / total);
    String left = perSecond == 0 ? "? s" : time(Math.max(0, total - done) / perSecond);
    return String.format(
        Locale.ROOT,
        "%s of %s, %.0f %%, %s/s, %s left",
        Sizes.bytes(done),
        Sizes.bytes(total),
        percent,
        Sizes.bytes((long) perSecond),
        left);
  }

  private static String time(double seconds) {
    if (seconds < SHORT) {
      return String.format(Locale.ROOT, "%.0f s", seconds);
    }
    double minutes = seconds / SECONDS_PER_MINUTE;
    return minutes < SHORT
        ? String.format(Locale.ROOT, "%.0f min", minutes)
        : String.format(Locale.ROOT, "%.1f h", minutes / MINUTES_PER_HOUR);
  }

  /**
   * Runs a task that prints, with the progress line erased.
   *
   * <p>If stderr is a terminal, the output is flushed before the next redraw.
   *
   * @param out the writer that the task prints to
   * @param task the task
   */
  synchronized void whileHidden(PrintWriter out, Runnable task) {
    hide();
    task.run();
    if (shown) {
      out.flush();
    }
  }

  private void hide() {
    if (lineVisible) {
      terminal.print(ERASE_LINE);
      terminal.flush();
      lineVisible = false;
    }
  }

  @Override
  public synchronized void close() {
    timer.cancel();
    hide();
  }
}
