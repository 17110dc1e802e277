// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The counts of batches: live {@link ValidationCounts}, or {@linkplain ValidationCounts#snapshot()
 * a copy}. Every number is a number of batches, starts at 0 and only grows.
 */
public abstract sealed class Counts permits ValidationCounts, CountsSnapshot {
  /** The buckets of {@link #plainBytes()}: up to 1 GiB, and one for larger sizes. */
  static final int PLAIN_BUCKETS = 32;

  /** The buckets of {@link #ratio()}: up to 65,536, and one for larger ratios. */
  static final int RATIO_BUCKETS = 18;

  // All numbers are in one array; these are the places of the groups.
  // Accepted batches are counted by codec and plain size at once: one number to increase, not two.
  static final int ACCEPTED = 0;
  static final int REFUSED = ACCEPTED + Codec.count() * PLAIN_BUCKETS;
  static final int REASONS = REFUSED + Codec.count() + 1;
  static final int FOUND = REASONS + Reason.values().length;
  static final int CAUSES = FOUND + Reason.values().length;
  static final int RATIO = CAUSES + RebuildCause.values().length;
  static final int PLACES = RATIO + RATIO_BUCKETS;

  private final Histogram plainBytes = new Histogram(this, ACCEPTED, PLAIN_BUCKETS, Codec.count());
  private final Histogram ratio = new Histogram(this, RATIO, RATIO_BUCKETS, 1);

  Counts() {}

  /** Returns the number at a place. */
  abstract long at(int place);

  /** Returns the place of the accepted batches of a codec with a plain size. */
  static int acceptedPlace(Codec codec, long plainBytes) {
    return ACCEPTED + codec.id() * PLAIN_BUCKETS + Histogram.bucket(plainBytes, PLAIN_BUCKETS);
  }

  /** Returns the place of the refused batches of a codec. */
  static int refusedPlace(@Nullable Codec codec) {
    return REFUSED + (codec == null ? Codec.count() : codec.id());
  }

  /** Returns the place of a constant in the group of its enum. */
  @SuppressWarnings("EnumOrdinal") // never stored or sent
  static int place(int first, Enum<?> constant) {
    return first + constant.ordinal();
  }

  /** {@return how many batches were accepted, including those that need a rebuild} */
  public final long accepted() {
    return sum(ACCEPTED, REFUSED);
  }

  /**
   * {@return how many batches of a codec were accepted}
   *
   * @param codec the codec of the batches as received
   */
  public final long accepted(Codec codec) {
    int first = ACCEPTED + codec.id() * PLAIN_BUCKETS;
    return sum(first, first + PLAIN_BUCKETS);
  }

  /** {@return how many batches were refused} */
  public final long refused() {
    return sum(REFUSED, REASONS);
  }

  /**
   * {@return how many batches of a codec were refused}
   *
   * @param codec the codec of the batches; null for those refused before their codec was known
   */
  public final long refusedOf(@Nullable Codec codec) {
    return at(refusedPlace(codec));
  }

  /**
   * {@return how many batches were refused for a reason, see {@link Verdict#reason()}}
   *
   * @param reason a reason of any level
   */
  public final long refused(Reason reason) {
    return at(place(REASONS, reason));
  }

  /**
   * {@return how many batches had a finding although level KAFKA accepts them, whether it was
   * reported or led to a refusal}
   *
   * @param reason of {@link Level#STRICT} or of a topic rule; the count of other reasons is 0
   */
  public final long found(Reason reason) {
    return at(place(FOUND, reason));
  }

  /**
   * {@return how many accepted batches needed a rebuild for a cause}
   *
   * @param cause the cause of the rebuild
   */
  public final long rebuilt(RebuildCause cause) {
    return at(place(CAUSES, cause));
  }

  /** {@return the sizes of the records of accepted batches after decompression, in bytes} */
  public final Histogram plainBytes() {
    return plainBytes;
  }

  /**
   * {@return the plain bytes of accepted compressed batches per byte of the batch with its header}
   * A batch of 100 bytes with 250 plain bytes is in the bucket up to 4.
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
