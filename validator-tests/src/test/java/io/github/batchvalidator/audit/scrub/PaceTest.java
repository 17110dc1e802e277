// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The bound on the rate of reads, with a clock that moves only while a read waits. */
class PaceTest implements ScrubClock {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long now = Long.MAX_VALUE - 10 * SECOND; // it overflows
  private long longestSleep;
  private boolean stopped;
  private int ticks;

  @Override
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(now);
  }

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public void sleep(long nanos) {
    longestSleep = Math.max(longestSleep, nanos);
    now += nanos;
  }

  private Pace pace(long bytesPerSecond) {
    return new Pace(new ByteRate(bytesPerSecond), this, () -> stopped, () -> ticks++);
  }

  @Test
  void readsTakeTheirTime() throws IOException {
    Pace pace = pace(1000);
    long start = now;
    for (int i = 0; i < 100; i++) {
      pace.await(500);
    }
    assertEquals(99 * SECOND / 2, now - start, "the first one does not wait");
    assertTrue(ticks > 400, "files are written while a read waits");
  }

  @Test
  void timeWithoutReadsIsNotSavedUp() throws IOException {
    Pace pace = pace(1000);
    pace.await(1000);
    now += 100 * SECOND;
    pace.await(1000);
    long start = now;
    pace.await(1);
    assertEquals(SECOND, now - start);
  }

  @Test
  void aStopDoesNotWait() throws IOException {
    Pace pace = pace(1000);
    pace.await(1_000_000);
    stopped = true;
    long start = now;
    assertThrows(IOException.class, () -> pace.await(1));
    assertEquals(start, now);
    stopped = false;
    pace.await(1);
    assertTrue(longestSleep <= SECOND / 10);
  }
}
