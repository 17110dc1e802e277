// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

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
 * The number of appends for which our answer differed from Kafka's, by kind, with one sample of
 * each kind.
 *
 * <p>Logs the first difference of each kind, then at most one difference of the kind per minute,
 * and a summary every ten minutes. Bounded in size. Safe for all threads.
 */
public final class ShadowCounts {
  /** The largest number of kinds. Kinds contain class names, and only a few are expected. */
  static final int MAX_KINDS = 64;

  /** The kind that counts all further kinds. */
  static final String OTHER = "OTHER";

  /** The longest sample, in characters: enough for some 24 KiB of records. */
  static final int MAX_SAMPLE_CHARACTERS = 1 << 15;

  private static final Logger LOG = LoggerFactory.getLogger(ShadowCounts.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long SUMMARY_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final LongSupplier nanoTime;
  private final Logger log;
  private final LongAdder appends = new LongAdder();
  private final LongAdder differing = new LongAdder();
  private final AtomicLong summaryAt;
  private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

  /** Creates counts of zero appends. */
  public ShadowCounts() {
    this(System::nanoTime, LOG);
  }

  ShadowCounts(LongSupplier nanoTime, Logger log) {
    this.nanoTime = nanoTime;
    this.log = log;
    summaryAt = new AtomicLong(nanoTime.getAsLong());
  }

  /** The count and sample of a kind; guarded by its own monitor. */
  private static final class Kind {
    private long count;
    private long loggedAt;
    private boolean logged;
    private @Nullable String sample;
    private boolean sampleLogged;
  }

  /** {@return the number of appends, including those whose comparison failed} */
  public long appends() {
    return appends.sum();
  }

  /** {@return the number of appends that differed or whose comparison failed} */
  public long differing() {
    return differing.sum();
  }

  /** {@return a copy of the number of differing appends by kind} */
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
   * {@return a copy of the samples by kind} A sample is a line with settings and Base64. A kind
   * whose appends were all too large has no sample.
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

  /**
   * Counts an append.
   *
   * @return the number of logged lines
   */
  int add() {
    appends.increment();
    long now = nanoTime.getAsLong();
    long last = summaryAt.get();
    if (now - last < SUMMARY_NANOS || !summaryAt.compareAndSet(last, now)) {
      return 0;
    }
    try {
      log.info(
          "Shadow mode: {} appends, {} of them answered differently: {}",
          appends,
          differing,
          kinds());
    } catch (RuntimeException | Error e) {
      return 0; // the append is counted anyway
    }
    return 1;
  }

  /**
   * Counts a difference of an append that {@link #add} has counted.
   *
   * @param name the kind of the difference
   * @param text supplies the text for the log
   * @param sample supplies a sample or null; called until a kind has a sample that is short enough
   * @return the number of logged lines
   */
  int addDifference(String name, Supplier<String> text, Supplier<@Nullable String> sample) {
    differing.increment();
    boolean full = kinds.size() >= MAX_KINDS && !kinds.containsKey(name);
    String counted = full ? OTHER : name;
    Kind kind = kinds.computeIfAbsent(counted, unused -> new Kind());
    synchronized (kind) {
      kind.count++;
      if (kind.sample == null) {
        String made = sample.get();
        kind.sample = made != null && made.length() <= MAX_SAMPLE_CHARACTERS ? made : null;
      }
      return logIfDue(counted, kind, text);
    }
  }

  private int logIfDue(String name, Kind kind, Supplier<String> text) {
    long now = nanoTime.getAsLong();
    if (kind.logged && now - kind.loggedAt < PAUSE_NANOS) {
      return 0;
    }
    kind.logged = true;
    kind.loggedAt = now;
    boolean logSample = kind.sample != null && !kind.sampleLogged;
    kind.sampleLogged |= logSample;
    try {
      log.warn(
          "Shadow mode: {}, append {} of this kind: {}{}",
          name,
          kind.count,
          text.get(),
          logSample ? "; the sample of this kind: " + kind.sample : "");
    } catch (RuntimeException | Error e) {
      return 0; // the append is counted anyway
    }
    return 1;
  }
}
