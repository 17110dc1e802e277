// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PacedProducerTest {
  private static final long BLOCKED_MS = 500;
  private static final double NANOS_PER_MS = 1e6;
  private static final long MINUTES_5 = TimeUnit.MINUTES.toNanos(5);

  /** A broker that answers at once, but waits before one of the answers or fails. */
  private static final class Broker implements PacedProducer.Connection {
    private final int blocked;
    private final int failed;
    private int answers;

    Broker(int blocked, int failed) {
      this.blocked = blocked;
      this.failed = failed;
    }

    @Override
    public void send(long request) {}

    @Override
    public void awaitAnswer() throws IOException {
      if (answers == failed) {
        throw new IOException("error");
      }
      if (answers++ == blocked) {
        try {
          Thread.sleep(BLOCKED_MS);
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
    }
  }

  /** Returns a start before which the threads have started, too. */
  private static long soon() {
    return System.nanoTime() + 200_000_000;
  }

  private static void run(PacedProducer producer) throws Exception {
    CompletableFuture<Void> sender =
        CompletableFuture.runAsync(
            () -> {
              try {
                producer.send();
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    producer.receive();
    sender.get();
  }

  /**
   * A hundred requests are due in the half second in which the broker answers none. Those that
   * could not be sent were late from the time at which they were due; only five would be if
   * latencies counted from when a request is sent.
   */
  @Test
  void requestsThatAreDueWhileTheBrokerIsBlockedAreLate() throws Exception {
    Pace pace = new Pace(soon(), 5 * NANOS_PER_MS, 200, 1_000_000_000L);
    PacedProducer producer = new PacedProducer(new Broker(60, -1), pace);
    run(producer);
    assertEquals(200, producer.sent());
    assertEquals(160, producer.latencies().getTotalCount());
    double p99 = Latencies.ms(producer.latencies(), 99);
    assertTrue(p99 > 0.9 * BLOCKED_MS, () -> p99 + " ms");
    double p60 = Latencies.ms(producer.latencies(), 60);
    assertTrue(p60 > 0.2 * BLOCKED_MS, () -> p60 + " ms");
    double p10 = Latencies.ms(producer.latencies(), 10);
    assertTrue(p10 < 0.2 * BLOCKED_MS, () -> p10 + " ms");
  }

  @Test
  void atFullSpeedTimeOrBytesEndIt() throws Exception {
    Pace pace = new Pace(soon(), 0, Long.MAX_VALUE, 400_000_000);
    PacedProducer byTime = new PacedProducer(new Broker(-1, -1), pace);
    run(byTime);
    assertTrue(pace.isOver(System.nanoTime()));
    double warmUpMs = (byTime.firstNanos() - pace.startNanos()) / NANOS_PER_MS;
    assertTrue(warmUpMs >= 80, () -> warmUpMs + " ms");
    assertTrue(byTime.lastNanos() > byTime.firstNanos());
    assertTrue(byTime.latencies().getTotalCount() < byTime.sent());
    PacedProducer byBytes =
        new PacedProducer(new Broker(-1, -1), new Pace(System.nanoTime(), 0, 50, MINUTES_5));
    run(byBytes);
    assertEquals(50, byBytes.sent());
    assertEquals(40, byBytes.latencies().getTotalCount());
  }

  @Test
  void anErrorEndsIt() {
    PacedProducer producer =
        new PacedProducer(new Broker(-1, 3), new Pace(System.nanoTime(), 0, 4, MINUTES_5));
    assertThrows(IOException.class, () -> run(producer));
  }
}
