// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Many threads count at once, more than there are rows of numbers. */
class CountsThreadsTest {
  private static final int THREADS = 4 * Runtime.getRuntime().availableProcessors() + 3;
  private static final int BATCHES = 60_000;
  private static final ThreadMXBean JVM = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final AtomicLong allocated = new AtomicLong();

  private static MutableVerdict accepted() {
    MutableVerdict verdict = new MutableVerdict();
    verdict.batch(100, (byte) 2);
    verdict.header(Codec.ZSTD, false, TimestampType.CREATE_TIME);
    verdict.walk().records(1, 250, -1);
    verdict.rebuild(RebuildCause.OTHER_CODEC);
    return verdict;
  }

  private static MutableVerdict refused() {
    MutableVerdict verdict = accepted();
    verdict.findings().add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 0, 0);
    verdict.findings().enforce(verdict);
    return verdict;
  }

  private void count(ValidationCounts counts, AtomicBoolean started) {
    Verdict accepted = accepted();
    Verdict refused = refused();
    while (!started.get()) {
      Thread.onSpinWait();
    }
    long before = JVM.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < BATCHES; i++) {
      counts.judged(accepted, null);
      counts.judged(refused, null);
    }
    allocated.addAndGet(JVM.getCurrentThreadAllocatedBytes() - before);
  }

  /**
   * Each thread measures from its first batch on, so that a single allocation at a first contention
   * is found, not only a repeated one.
   */
  @Test
  void noBatchIsLostAndNoByteAllocated() throws InterruptedException {
    // The JVM links and compiles what these threads run, which allocates once.
    countByThreads(new ValidationCounts());
    allocated.set(0);
    ValidationCounts counts = new ValidationCounts();
    countByThreads(counts);
    long expected = (long) THREADS * BATCHES;
    assertEquals(expected, counts.accepted(Codec.ZSTD));
    assertEquals(expected, counts.rebuilt(RebuildCause.OTHER_CODEC));
    assertEquals(expected, counts.plainBytes().count(8));
    assertEquals(expected, counts.ratio().count(2));
    assertEquals(expected, counts.refusedOf(Codec.ZSTD));
    assertEquals(expected, counts.refused(Reason.RECORD_LENGTH_UNTRUE));
    assertEquals(expected, counts.found(Reason.RECORD_LENGTH_UNTRUE));
    assertEquals(0, allocated.get());
  }

  private void countByThreads(ValidationCounts counts) throws InterruptedException {
    AtomicBoolean started = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(new Thread(() -> count(counts, started)));
    }
    threads.forEach(Thread::start);
    started.set(true);
    long seen = 0;
    while (threads.stream().anyMatch(Thread::isAlive)) {
      long now = counts.snapshot().accepted();
      assertTrue(now >= seen, now + " after " + seen);
      seen = now;
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
