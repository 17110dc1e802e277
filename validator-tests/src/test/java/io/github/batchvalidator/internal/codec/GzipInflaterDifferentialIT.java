// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.gzip.GzipDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import java.util.Arrays;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Both inflaters give the same bytes, the same fault and the same position for damaged streams.
 * zlib looks beyond a window that it has filled, so it may meet a fault one window earlier.
 *
 * <p>{@code scripts/inflate-damage} runs this test with more streams: {@code
 * inflate.damage.streams} and {@code inflate.damage.seed}.
 */
@Tag("unvaried")
class GzipInflaterDifferentialIT {
  private static final long STREAMS = Long.getLong("inflate.damage.streams", 200_000L);
  private static final long SEED = Long.getLong("inflate.damage.seed", 20_261_126L);
  private static final int THREADS = 2;

  /** The number of damaged copies of a stream. The seed of the stream is its number. */
  private static final int COPIES = 50;

  private static final long PROGRESS = 1_000_000;
  private static final int[] WINDOWS = {1, 2, 7, 258, 2048, Integer.MAX_VALUE};
  private static final DamagedDeflate.Kind[] KINDS = DamagedDeflate.Kind.values();

  private final AtomicLong nextStream = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final long[] accepted = new long[KINDS.length];
  private final long[] refused = new long[KINDS.length];

  @Test
  void damagedStreamsAreJudgedAlike() throws InterruptedException {
    long started = System.nanoTime();
    Thread[] workers = new Thread[THREADS];
    Arrays.setAll(workers, i -> new Thread(this::work));
    Stream.of(workers).forEach(Thread::start);
    for (Thread worker : workers) {
      worker.join();
    }
    Throwable found = failure.get();
    if (found != null) {
      throw new AssertionError("seed " + SEED + ", " + found.getMessage(), found);
    }
    long good = Arrays.stream(accepted).sum();
    long bad = Arrays.stream(refused).sum();
    System.out.println(report(good, bad, (System.nanoTime() - started) / 1_000_000_000));
    assertEquals((STREAMS + COPIES - 1) / COPIES * COPIES, good + bad);
    assertTrue(Math.min(good, bad) > (good + bad) / 10, "both answers");
  }

  private void work() {
    Decoders[] jdk = decoders(GzipInflater.JDK);
    Decoders[] java = decoders(GzipInflater.JAVA);
    try (DamagedDeflate damaged = new DamagedDeflate()) {
      long stream = nextStream.getAndIncrement();
      while (stream * COPIES < STREAMS && failure.get() == null) {
        compare(damaged, new SplittableRandom(SEED + stream * 0x9E3779B97F4A7C15L), jdk, java);
        stream = nextStream.getAndIncrement();
        if (stream * COPIES % PROGRESS == 0) {
          System.out.printf("%d damaged streams%n", stream * COPIES);
        }
      }
    } catch (Exception | Error e) {
      failure.compareAndSet(null, e);
    } finally {
      Stream.of(jdk, java).flatMap(Stream::of).forEach(Decoders::close);
    }
  }

  private static Decoders[] decoders(GzipInflater gzip) {
    return Arrays.stream(WINDOWS)
        .mapToObj(window -> WindowDecoders.withWindow(window, gzip))
        .toArray(Decoders[]::new);
  }

  private void compare(
      DamagedDeflate damaged, SplittableRandom random, Decoders[] jdk, Decoders[] java) {
    damaged.start(random);
    for (int i = 0; i < COPIES; i++) {
      int kind = random.nextInt(KINDS.length);
      byte[] stored = damaged.next(random, KINDS[kind]);
      int window = random.nextInt(WINDOWS.length);
      Outcome expected = Outcome.of(DecoderContract.decoder(jdk[window], Codec.GZIP), stored);
      Outcome outcome = Outcome.of(DecoderContract.decoder(java[window], Codec.GZIP), stored);
      assertTrue(
          alike(outcome, expected, WINDOWS[window]),
          () ->
              "%s, window %d, %s: %s, JDK %s: %s"
                  .formatted(
                      KINDS[kind],
                      WINDOWS[window],
                      damaged,
                      outcome,
                      expected,
                      Base64.getEncoder().encodeToString(stored)));
      synchronized (failure) {
        (expected.isClean() ? accepted : refused)[kind]++;
      }
    }
  }

  private static boolean alike(Outcome outcome, Outcome expected, int window) {
    int more = outcome.plain().length - expected.plain().length;
    return outcome.equalTo(expected)
        || (!expected.isClean()
            && outcome.reason() == expected.reason()
            && outcome.inputPosition() == expected.inputPosition()
            && more > 0
            && more <= Math.min(window, GzipDecoder.WINDOW_BYTES)
            && outcome.startsWith(expected.plain()));
  }

  private String report(long good, long bad, long seconds) {
    StringBuilder text = new StringBuilder();
    text.append("%d damaged streams, seed %d".formatted(good + bad, SEED));
    text.append(", %d s on %d threads%n".formatted(seconds, THREADS));
    text.append("%-20s%12s%12s".formatted("", "accepted", "refused"));
    for (int i = 0; i < KINDS.length; i++) {
      text.append("%n%-20s%12d%12d".formatted(KINDS[i], accepted[i], refused[i]));
    }
    return text.append("%n%-20s%12d%12d".formatted("all", good, bad)).toString();
  }
}
