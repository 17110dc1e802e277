// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What was counted of batches: {@link ValidationCounts}, which go on, or a {@link CountsSnapshot}.
 * Every number is one of batches, starts at 0 and only grows.
 */
public abstract sealed class Counts permits ValidationCounts, CountsSnapshot {
  /** The buckets of {@link #plainBytes()}: up to 1 GiB, and what is larger. */
  static final int PLAIN_BUCKETS = 32;

  /** The buckets of {@link #ratio()}: up to 65536, and what is larger. */
  static final int RATIO_BUCKETS = 18;

  // Every number has a place in one row of them.
  static final int ACCEPTED = 0;
  static final int REFUSED = ACCEPTED + Codec.count();
  static final int REASONS = REFUSED + Codec.count() + 1;
  static final int FOUND = REASONS + Reason.values().length;
  static final int CAUSES = FOUND + Reason.values().length;
  static final int PLAIN = CAUSES + RebuildCause.values().length;
  static final int RATIO = PLAIN + PLAIN_BUCKETS;
  static final int PLACES = RATIO + RATIO_BUCKETS;

  private final Histogram plainBytes = new Histogram(this, PLAIN, PLAIN_BUCKETS);
  private final Histogram ratio = new Histogram(this, RATIO, RATIO_BUCKETS);

  Counts() {}

  /** Returns the number at a place. */
  abstract long at(int place);

  /** Returns where refused batches of a codec are counted. */
  static int refusedPlace(@Nullable Codec codec) {
    return REFUSED + (codec == null ? Codec.count() : codec.id());
  }

  /**
   * Returns where a constant is counted in the part of the row that is for constants of its kind.
   */
  @SuppressWarnings("EnumOrdinal") // of this run of this JVM only
  static int place(int first, Enum<?> constant) {
    return first + constant.ordinal();
  }

  /** {@return how many batches were accepted, those that are written anew included} */
  public final long accepted() {
    return sum(ACCEPTED, REFUSED);
  }

  /**
   * {@return how many batches of a codec were accepted}
   *
   * @param codec of the batch as it was sent
   */
  public final long accepted(Codec codec) {
    return at(ACCEPTED + codec.id());
  }

  /** {@return how many batches were refused} */
  public final long refused() {
    return sum(REFUSED, REASONS);
  }

  /**
   * {@return how many batches of a codec were refused}
   *
   * @param codec of the batch, or null for those that were refused before it was known
   */
  public final long refusedOf(@Nullable Codec codec) {
    return at(refusedPlace(codec));
  }

  /**
   * {@return how many batches were refused for a reason, that of the {@linkplain Verdict#reason()
   * verdict}}
   *
   * @param reason of any level
   */
  public final long refused(Reason reason) {
    return at(place(REASONS, reason));
  }

  /**
   * {@return in how many batches that level KAFKA accepts something was found, be it told or
   * refused}
   *
   * @param reason of {@link Level#STRICT}; 0 for any other
   */
  public final long found(Reason reason) {
    return at(place(FOUND, reason));
  }

  /**
   * {@return how many accepted batches left the in-place path, and why}
   *
   * @param cause why they are written anew
   */
  public final long rebuilt(RebuildCause cause) {
    return at(place(CAUSES, cause));
  }

  /** {@return the bytes that the records of accepted batches take when they are not compressed} */
  public final Histogram plainBytes() {
    return plainBytes;
  }

  /**
   * {@return the plain bytes of accepted compressed batches per byte of the batch, its header
   * included: a batch of 100 bytes that holds 250 is in the bucket up to 4}
   */
  public final Histogram ratio() {
    return ratio;
  }

  private long sum(int from, int to) {
    long sum = 0;
    for (int place = from; place < to; place++) {
      sum += at(place);
    }
    return sum;
  }
}
