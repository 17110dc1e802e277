// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One line on a terminal that tells how far the run is, rewritten twice a second. Counting is safe
 * from any thread and goes on whether or not there is a terminal.
 */
final class Progress implements AutoCloseable {
  private static final long PERIOD_MS = 500;
  private static final String ERASE_LINE = "\r\u001b[K";

  private final PrintWriter terminal;
  private final boolean shown;
  private final long totalBytes;
  private final long startNanos = System.nanoTime();
  private final AtomicLong doneBytes = new AtomicLong();
  private final Timer timer = new Timer("progress", true);
  private boolean lineIsThere;

  /**
   * Starts.
   *
   * @param terminal where stderr goes
   * @param shown false if it is no terminal: then nothing is written
   * @param totalBytes sum of the sizes of all files
   */
  Progress(PrintWriter terminal, boolean shown, long totalBytes) {
    this.terminal = terminal;
    this.shown = shown;
    this.totalBytes = totalBytes;
  }

  /** Starts to show the line if there is a terminal. */
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

  /** Counts bytes of files that are done. */
  void add(long bytes) {
    doneBytes.addAndGet(bytes);
  }

  private synchronized void show() {
    terminal.print(ERASE_LINE + line(doneBytes.get(), totalBytes, System.nanoTime() - startNanos));
    terminal.flush();
    lineIsThere = true;
  }

  /** Returns the line's text. */
  static String line(long done, long total, long nanos) {
    double perSecond = nanos == 0 ? 0 : done * 1e9 / nanos;
    double percent = total == 0 ? 100 : Math.min(100, 100.0 * done / total);
    String left =
        perSecond == 0
            ? "?"
            : String.format(Locale.ROOT, "%.0f", Math.max(0, total - done) / perSecond);
    return String.format(
        Locale.ROOT,
        "%s of %s, %.0f %%, %s/s, %s s left",
        Sizes.bytes(done),
        Sizes.bytes(total),
        percent,
        Sizes.bytes((long) perSecond),
        left);
  }

  /**
   * Has something else written, whole before the line is back.
   *
   * @param out where to
   * @param writing does it
   */
  synchronized void apart(PrintWriter out, Runnable writing) {
    hide();
    writing.run();
    if (shown) {
      out.flush();
    }
  }

  private void hide() {
    if (lineIsThere) {
      terminal.print(ERASE_LINE);
      terminal.flush();
      lineIsThere = false;
    }
  }

  @Override
  public synchronized void close() {
    timer.cancel();
    hide();
  }
}
