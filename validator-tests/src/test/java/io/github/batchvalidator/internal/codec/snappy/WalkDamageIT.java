// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.snappy.DamagedStream.Outcome;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damaged blocks, alone and among sound ones: the walk accepts only what snappy-java accepts, with
 * the same bytes. {@code scripts/walk-damage} runs this test with more blocks: {@code
 * walk.damage.blocks} and {@code walk.damage.seed}.
 */
@Tag("unvaried")
class WalkDamageIT {
  private static final long BLOCKS = Long.getLong("walk.damage.blocks", 500_000L);
  private static final long SEED = Long.getLong("walk.damage.seed", 20_261_125L);
  private static final int THREADS = 2;

  /** The number of damaged blocks of a stream. The seed of the stream is its number. */
  private static final int PER_STREAM = 200;

  private static final long PROGRESS = 5_000_000;
  private static final BlockDamage.Kind[] DAMAGES = BlockDamage.Kind.values();

  private final AtomicLong nextStream = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Map<Enum<?>, Map<Outcome, Long>> counts = new LinkedHashMap<>();
  private final Map<Outcome, Long> sums = new EnumMap<>(Outcome.class);
  private final long[] blocksOfStream = new long[DamagedStream.MOST_BLOCKS + 1];

  @Test
  void nothingIsAcceptedThatTheLibraryRefuses() throws InterruptedException {
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
    System.out.println(report((System.nanoTime() - started) / 1_000_000_000));
    long accepted = sum(Outcome.ACCEPTED);
    long refused = sum(Outcome.REFUSED);
    long all = all();
    assertEquals((BLOCKS + PER_STREAM - 1) / PER_STREAM * PER_STREAM, all);
    assertTrue(accepted > all / 10 && refused > all / 10, "both answers");

    Map<Outcome, Long> any = of(BlockKind.ANY_TAGS);
    long blocks = any.values().stream().mapToLong(Long::longValue).sum();
    assertTrue(any.getOrDefault(Outcome.ACCEPTED, 0L) > blocks / 5, any::toString);
    assertTrue(any.getOrDefault(Outcome.LEFT, 0L) < blocks / 100, any::toString);
  }

  private void work() {
    DamagedStream damaged = new DamagedStream();
    long stream = nextStream.getAndIncrement();
    while (stream * PER_STREAM < BLOCKS && failure.get() == null) {
      SplittableRandom random = new SplittableRandom(SEED + stream * 0x9E3779B97F4A7C15L);
      try {
        damaged.start(random);
        count(damaged, random);
      } catch (Exception | Error e) {
        String what = "stream " + stream + ", " + e.getMessage() + ": " + damaged;
        failure.compareAndSet(null, new AssertionError(what, e));
      }
      stream = nextStream.getAndIncrement();
      if (stream * PER_STREAM % PROGRESS == 0) {
        System.out.printf("%d damaged blocks%n", stream * PER_STREAM);
      }
    }
  }

  private void count(DamagedStream damaged, SplittableRandom random) {
    Map<BlockDamage.Kind, Map<Outcome, Long>> found = new EnumMap<>(BlockDamage.Kind.class);
    for (int i = 0; i < PER_STREAM; i++) {
      BlockDamage.Kind damage = DAMAGES[random.nextInt(DAMAGES.length)];
      Outcome outcome = damaged.next(random, damage);
      found
          .computeIfAbsent(damage, d -> new EnumMap<>(Outcome.class))
          .merge(outcome, 1L, Long::sum);
    }
    synchronized (counts) {
      blocksOfStream[damaged.blocks()] += PER_STREAM;
      found.forEach(
          (damage, outcomes) ->
              outcomes.forEach(
                  (outcome, count) -> {
                    of(damage).merge(outcome, count, Long::sum);
                    of(damaged.kind()).merge(outcome, count, Long::sum);
                    sums.merge(outcome, count, Long::sum);
                  }));
    }
  }

  private Map<Outcome, Long> of(Enum<?> name) {
    return counts.computeIfAbsent(name, n -> new EnumMap<>(Outcome.class));
  }

  private long sum(Outcome outcome) {
    return sums.getOrDefault(outcome, 0L);
  }

  private String report(long seconds) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%d damaged blocks, seed %d, %d s on %d threads%n"
            .formatted(all(), SEED, seconds, THREADS));
    for (int i = 1; i < blocksOfStream.length; i++) {
      text.append("in streams of %d blocks: %d%n".formatted(i, blocksOfStream[i]));
    }
    text.append("%-20s".formatted(""));
    for (Outcome outcome : Outcome.values()) {
      text.append("%16s".formatted(outcome));
    }
    Stream.<Enum<?>>concat(Stream.of(DAMAGES), Stream.of(BlockKind.values()))
        .forEach(name -> text.append(line(name, of(name))));
    return text.append(line("all", sums)).toString();
  }

  private long all() {
    return sums.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String line(Object name, Map<Outcome, Long> counts) {
    StringBuilder line = new StringBuilder("%n%-20s".formatted(name));
    for (Outcome outcome : Outcome.values()) {
      line.append("%16d".formatted(counts.getOrDefault(outcome, 0L)));
    }
    return line.toString();
  }
}
