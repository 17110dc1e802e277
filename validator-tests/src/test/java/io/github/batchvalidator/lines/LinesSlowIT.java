// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same comparison over as many inputs as told, with a report. Unexplained differences do not
 * stop it; it fails at its end. Run by {@code scripts/differential}: {@code lines.inputs}, {@code
 * lines.seed} and {@code lines.report}.
 */
@Tag("slow")
class LinesSlowIT {
  private static final long INPUTS = Long.getLong("lines.inputs", 200_000L);
  private static final long SEED = Long.getLong("lines.seed", 1L);
  private static final int GENERATOR_SIZE = 1000;
  private static final int WORKERS = Runtime.getRuntime().availableProcessors();

  private static final int QUEUE = 4 * WORKERS;

  private static final long PROGRESS = 100_000;

  private final LineReport report = new LineReport();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  @Test
  void oursAnswersWhatStockAnswers() throws IOException {
    long started = System.nanoTime();
    ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    try {
      JqwikSession.run(() -> feed(workers));
    } finally {
      workers.shutdownNow();
    }
    write((System.nanoTime() - started) / 1_000_000_000);
    assertNull(failure.get());
    write((System.nanoTime() - started) / 1_000_000_000);
    assertTrue(report.inputs() >= INPUTS);
    assertEquals(0, report.unexplained(), report::toText);
  }

  private void write(long seconds) throws IOException {
    String head =
        "Seed %d, JDK %s, %d inputs in %d s on %d threads.%n%n"
            .formatted(SEED, System.getProperty("java.version"), report.inputs(), seconds, WORKERS);
    String path = System.getProperty("lines.report", "");
    if (!path.isEmpty()) {
      Files.writeString(Path.of(path), head + report.toText());
    }
  }

  private void feed(ExecutorService workers) throws InterruptedException {
    RandomGenerator<Draft> drafts = Appends.drafts().generator(GENERATOR_SIZE, true);
    Random random = new Random(SEED);
    Semaphore waiting = new Semaphore(QUEUE);
    long told = 0;
    for (long inputs = 0; inputs < INPUTS && failure.get() == null; inputs = report.inputs()) {
      if (inputs / PROGRESS > told) {
        told = inputs / PROGRESS;
        System.out.printf("%d inputs, %d unexplained%n", inputs, report.unexplained());
      }
      Draft draft = drafts.next(random).value();
      waiting.acquire();
      workers.execute(() -> compare(draft, waiting));
    }
    waiting.acquire(QUEUE);
  }

  private void compare(Draft draft, Semaphore waiting) {
    try {
      LineFamilies.compare(draft, report);
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    } finally {
      waiting.release();
    }
  }
}
