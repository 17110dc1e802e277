// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts in how many appends our answer was not Kafka's, by kind, and keeps one sample of each
 * kind. Tells the log of the first difference of each kind, then of one a minute at the most, and
 * how things stand every ten minutes. Bounded in size. Safe for all threads.
 */
public final class ShadowCounts {
  /** Kinds are made of names of classes: no more than a few of them are expected. */
  static final int MOST_KINDS = 64;

  /** What further kinds are counted as. */
  static final String OTHER = "OTHER";

  /** The longest sample, in characters: enough for some 24 KiB of records. */
  static final int MOST_SAMPLE_CHARACTERS = 1 << 15;

  private static final Logger LOG = LoggerFactory.getLogger(ShadowCounts.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long SUMMARY_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final LongSupplier nanoTime;
  private final Logger log;
  private final LongAdder appends = new LongAdder();
  private final LongAdder differing = new LongAdder();
  private final AtomicLong summedUpAt;
  private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

  ShadowCounts() {
    this(System::nanoTime, LOG);
  }

  ShadowCounts(LongSupplier nanoTime, Logger log) {
    this.nanoTime = nanoTime;
    this.log = log;
    summedUpAt = new AtomicLong(nanoTime.getAsLong());
  }

  /** What is known of a kind; guarded by itself. */
  private static final class Kind {
    private long count;
    private long loggedAt;
    private boolean logged;
    private @Nullable String sample;
    private boolean sampleLogged;
  }

  /** {@return how many appends were compared, or could not be, which counts as a difference} */
  public long appends() {
    return appends.sum();
  }

  /** {@return in how many of them our answer was not Kafka's} */
  public long differing() {
    return differing.sum();
  }

  /** {@return how many appends differed, by kind; a copy} */
  public Map<String, Long> kinds() {
    Map<String, Long> all = new TreeMap<>();
    kinds.forEach(
        (name, kind) -> {
          synchronized (kind) {
            all.put(name, kind.count);
          }
        });
    return all;
  }

  /**
   * {@return an append of each kind, as a line of settings and Base64} A copy; a kind without one
   * had only appends that were too large.
   */
  public Map<String, String> samples() {
    Map<String, String> all = new TreeMap<>();
    kinds.forEach(
        (name, kind) -> {
          synchronized (kind) {
            if (kind.sample != null) {
              all.put(name, kind.sample);
            }
          }
        });
    return all;
  }

  /** Counts an append; returns how many lines were logged. */
  int add() {
    appends.increment();
    long now = nanoTime.getAsLong();
    long last = summedUpAt.get();
    if (now - last < SUMMARY_NANOS || !summedUpAt.compareAndSet(last, now)) {
      return 0;
    }
    try {
      log.info(
          "In the shadow: {} appends, {} of them answered otherwise: {}",
          appends,
          differing,
          kinds());
    } catch (RuntimeException | Error e) {
      return 0; // counted all the same
    }
    return 1;
  }

  /**
   * Counts a difference of an append that was counted before.
   *
   * @param name of the kind
   * @param text of the difference, for the log
   * @param sample is asked until it gives one that is not too long; null if there is none
   * @return how many lines were logged
   */
  int addDifference(String name, Supplier<String> text, Supplier<@Nullable String> sample) {
    differing.increment();
    boolean full = kinds.size() >= MOST_KINDS && !kinds.containsKey(name);
    String counted = full ? OTHER : name;
    Kind kind = kinds.computeIfAbsent(counted, unused -> new Kind());
    synchronized (kind) {
      kind.count++;
      if (kind.sample == null) {
        String made = sample.get();
        kind.sample = made != null && made.length() <= MOST_SAMPLE_CHARACTERS ? made : null;
      }
      return tell(counted, kind, text);
    }
  }

  private int tell(String name, Kind kind, Supplier<String> text) {
    long now = nanoTime.getAsLong();
    if (kind.logged && now - kind.loggedAt < PAUSE_NANOS) {
      return 0;
    }
    kind.logged = true;
    kind.loggedAt = now;
    boolean tellSample = kind.sample != null && !kind.sampleLogged;
    kind.sampleLogged |= tellSample;
    try {
      log.warn(
          "In the shadow: {}, the {}. append of this kind: {}{}",
          name,
          kind.count,
          text.get(),
          tellSample ? "; the sample of this kind: " + kind.sample : "");
    } catch (RuntimeException | Error e) {
      return 0; // counted all the same
    }
    return 1;
  }
}
