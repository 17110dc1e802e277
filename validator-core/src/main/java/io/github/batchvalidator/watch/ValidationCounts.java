// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Verdict;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A listener that counts batches by reason, codec, cause of a rebuild, plain size and ratio.
 *
 * <p>Safe for use by multiple threads, lock-free, and never allocates after construction. A {@link
 * java.util.concurrent.atomic.LongAdder} would allocate its cells at the first contention, perhaps
 * hours later. Here each processor has an array with all numbers from the start, about 3.5 KB each.
 * Threads that share an array lose no counts.
 */
public final class ValidationCounts extends Counts implements ValidationListener {
  private static final int MOST_STRIPES = 64;

  /** Unused longs at both ends of an array, so that no two arrays share a cache line. */
  private static final int PADDING = 16;

  private final AtomicLongArray[] stripes;

  /** Creates counts that start at 0. */
  public ValidationCounts() {
    int processors = Math.min(MOST_STRIPES, Runtime.getRuntime().availableProcessors());
    stripes = new AtomicLongArray[Integer.highestOneBit(2 * processors - 1)];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new AtomicLongArray(PLACES + 2 * PADDING);
    }
  }

  @Override
  public void judged(Verdict verdict, @Nullable Object where) {
    AtomicLongArray stripe = stripe();
    Reason reason = verdict.reason();
    if (reason == null) {
      countAccepted(stripe, verdict);
    } else {
      increment(stripe, refusedPlace(verdict.codec()));
      increment(stripe, place(REASONS, reason));
    }
    Findings findings = verdict.findings();
    if (findings.matterTo(verdict)) {
      for (int i = 0; i < findings.count(); i++) {
        increment(stripe, place(FOUND, findings.reason(i)));
      }
    }
  }

  private static void countAccepted(AtomicLongArray stripe, Verdict verdict) {
    Codec codec = Objects.requireNonNull(verdict.codec());
    long plain = verdict.plainBytes();
    increment(stripe, acceptedPlace(codec, plain));
    RebuildCause cause = verdict.rebuildCause();
    if (cause != null) {
      increment(stripe, place(CAUSES, cause));
    }
    if (codec != Codec.NONE) {
      long ratio = -Math.floorDiv(-plain, verdict.batchBytes());
      increment(stripe, RATIO + Histogram.bucket(ratio, RATIO_BUCKETS));
    }
  }

  @SuppressWarnings("deprecation") // threadId() needs Java 19
  private AtomicLongArray stripe() {
    return stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
  }

  private static void increment(AtomicLongArray stripe, int place) {
    stripe.getAndIncrement(PADDING + place);
  }

  @Override
  long at(int place) {
    long sum = 0;
    for (AtomicLongArray stripe : stripes) {
      sum += stripe.get(PADDING + place);
    }
    return sum;
  }

  /**
   * {@return a copy of the current counts, immutable} A batch that is counted at the same time may
   * be included in some of the numbers only. Allocates.
   */
  public Counts snapshot() {
    long[] numbers = new long[PLACES];
    for (int place = 0; place < PLACES; place++) {
      numbers[place] = at(place);
    }
    return new CountsSnapshot(numbers);
  }
}
