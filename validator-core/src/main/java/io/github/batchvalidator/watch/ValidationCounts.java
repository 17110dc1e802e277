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
 * Counts batches: by reason, by codec, by why they are written anew, by plain size and by ratio.
 *
 * <p>Safe for all threads, lock-free, and allocates nothing once created, contended or not. That is
 * why it is no row of {@link java.util.concurrent.atomic.LongAdder}s, each of which makes its cells
 * when threads first meet, perhaps hours later: here the cells are there from the start, a row of
 * all numbers for each processor. Threads that share a row share its cache lines and no number is
 * lost. Takes about 3 KB per processor.
 */
public final class ValidationCounts extends Counts implements ValidationListener {
  private static final int MOST_STRIPES = 64;

  /** Longs before and behind a row, so that no two rows have a cache line in common. */
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
    increment(stripe, ACCEPTED + codec.id());
    RebuildCause cause = verdict.rebuildCause();
    if (cause != null) {
      increment(stripe, place(CAUSES, cause));
    }
    long plain = verdict.plainBytes();
    increment(stripe, PLAIN + Histogram.bucket(plain, PLAIN_BUCKETS));
    if (codec != Codec.NONE) {
      long ratio = -Math.floorDiv(-plain, verdict.batchBytes());
      increment(stripe, RATIO + Histogram.bucket(ratio, RATIO_BUCKETS));
    }
  }

  @SuppressWarnings("deprecation") // threadId() came with Java 19
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

  /** {@return what was counted until now} Allocates. */
  public CountsSnapshot snapshot() {
    long[] numbers = new long[PLACES];
    for (int place = 0; place < PLACES; place++) {
      numbers[place] = at(place);
    }
    return new CountsSnapshot(numbers);
  }
}
