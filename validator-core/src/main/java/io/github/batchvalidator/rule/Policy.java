// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a batch is judged by: origin, level, limits, and the topic's settings as {@code
 * LogValidator} gets them. Immutable; build once per topic configuration and share between threads.
 *
 * <p>The defaults are those of a topic that refuses nothing: create time, any timestamp, no
 * compaction, any size.
 */
public final class Policy {

  /** A batch from a produce request, all defaults. */
  public static final Policy CLIENT = builder(Origin.CLIENT).build();

  /** A batch that lies in a log, all defaults. */
  public static final Policy STORED = builder(Origin.STORED).build();

  private final Origin origin;
  private final Level level;
  private final boolean observing;
  private final Limits limits;
  private final Target target;
  private final long timestampBeforeMaxMs;
  private final long timestampAfterMaxMs;
  private final int maxBatchBytes;
  private final boolean compactedTopic;
  private final boolean checkedByHost;

  private Policy(Builder builder) {
    origin = builder.origin;
    level = builder.level;
    observing = builder.observing;
    limits = builder.limits;
    target = builder.target;
    timestampBeforeMaxMs = builder.timestampBeforeMaxMs;
    timestampAfterMaxMs = builder.timestampAfterMaxMs;
    maxBatchBytes = builder.maxBatchBytes;
    compactedTopic = builder.compactedTopic;
    checkedByHost = builder.checkedByHost;
  }

  /**
   * Starts a policy for batches of one origin.
   *
   * @param origin where they come from
   * @return a builder with all defaults
   */
  public static Builder builder(Origin origin) {
    return new Builder(origin);
  }

  /** {@return a builder with the settings of this policy} */
  public Builder toBuilder() {
    return new Builder(this);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this
        || (other instanceof Policy policy
            && origin == policy.origin
            && level == policy.level
            && observing == policy.observing
            && limits.equals(policy.limits)
            && target.equals(policy.target)
            && timestampBeforeMaxMs == policy.timestampBeforeMaxMs
            && timestampAfterMaxMs == policy.timestampAfterMaxMs
            && maxBatchBytes == policy.maxBatchBytes
            && compactedTopic == policy.compactedTopic
            && checkedByHost == policy.checkedByHost);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        origin,
        level,
        observing,
        limits,
        target,
        timestampBeforeMaxMs,
        timestampAfterMaxMs,
        maxBatchBytes,
        compactedTopic,
        checkedByHost);
  }

  /** {@return where the batches come from} */
  public Origin origin() {
    return origin;
  }

  /** {@return how strictly they are judged} */
  public Level level() {
    return level;
  }

  /**
   * {@return true if findings of {@link Level#STRICT} are told although the level is {@link
   * Level#KAFKA}}
   */
  public boolean observing() {
    return observing;
  }

  /** {@return true if findings of {@link Level#STRICT} are looked for, to refuse or to tell} */
  public boolean looksStrictly() {
    return observing || level == Level.STRICT;
  }

  /** {@return what a batch may cost} */
  public Limits limits() {
    return limits;
  }

  /** {@return the form in which the topic stores batches} */
  public Target target() {
    return target;
  }

  /** {@return how far a record's timestamp may lie before now, in milliseconds} */
  public long timestampBeforeMaxMs() {
    return timestampBeforeMaxMs;
  }

  /** {@return how far a record's timestamp may lie after now, in milliseconds} */
  public long timestampAfterMaxMs() {
    return timestampAfterMaxMs;
  }

  /** {@return the topic's {@code max.message.bytes}: the largest batch, prefix included} */
  public int maxBatchBytes() {
    return maxBatchBytes;
  }

  /** {@return true if every record needs a key} */
  public boolean compactedTopic() {
    return compactedTopic;
  }

  /**
   * {@return true if the host has checked base offset, size and CRC, as Kafka's {@code UnifiedLog}
   * does before it calls {@code LogValidator}, and the magic of a client's batch, as its {@code
   * ProduceRequest} does; these checks are skipped then}
   */
  public boolean checkedByHost() {
    return checkedByHost;
  }

  /** Collects the settings of a {@link Policy}. Not for use by several threads at once. */
  public static final class Builder {
    private final Origin origin;
    private Level level = Level.KAFKA;
    private boolean observing;
    private Limits limits = Limits.UNBOUNDED_AS_KAFKA;
    private Target target = Target.PRODUCER;
    private long timestampBeforeMaxMs = Long.MAX_VALUE;
    private long timestampAfterMaxMs = Long.MAX_VALUE;
    private int maxBatchBytes = Integer.MAX_VALUE;
    private boolean compactedTopic;
    private boolean checkedByHost;

    private Builder(Origin origin) {
      this.origin = Objects.requireNonNull(origin, "origin");
    }

    private Builder(Policy policy) {
      origin = policy.origin;
      level = policy.level;
      observing = policy.observing;
      limits = policy.limits;
      target = policy.target;
      timestampBeforeMaxMs = policy.timestampBeforeMaxMs;
      timestampAfterMaxMs = policy.timestampAfterMaxMs;
      maxBatchBytes = policy.maxBatchBytes;
      compactedTopic = policy.compactedTopic;
      checkedByHost = policy.checkedByHost;
    }

    /**
     * Sets how strictly batches are judged; {@link Level#KAFKA} if not set.
     *
     * @param value the level
     * @return this builder
     */
    public Builder level(Level value) {
      level = Objects.requireNonNull(value, "level");
      return this;
    }

    /**
     * Sets whether findings of {@link Level#STRICT} are told while the verdict stays that of {@link
     * Level#KAFKA}; false if not set. Means nothing at level STRICT, which tells them anyway.
     *
     * @param value true to tell them
     * @return this builder
     */
    public Builder observing(boolean value) {
      observing = value;
      return this;
    }

    /**
     * Sets what a batch may cost; {@link Limits#UNBOUNDED_AS_KAFKA} if not set.
     *
     * @param value the limits
     * @return this builder
     */
    public Builder limits(Limits value) {
      limits = Objects.requireNonNull(value, "limits");
      return this;
    }

    /**
     * Sets the form in which the topic stores batches; {@link Target#PRODUCER} if not set. Without
     * meaning for {@link Origin#STORED}.
     *
     * @param value codec, level, magic and timestamp type
     * @return this builder
     */
    public Builder target(Target value) {
      target = Objects.requireNonNull(value, "target");
      return this;
    }

    /**
     * Sets how far a create time may lie from now, both bounds included (KIP-937). Kafka compares
     * with wrapping arithmetic and so does the rule.
     *
     * @param beforeMaxMs milliseconds into the past
     * @param afterMaxMs milliseconds into the future
     * @return this builder
     */
    public Builder timestampWindowMs(long beforeMaxMs, long afterMaxMs) {
      timestampBeforeMaxMs = beforeMaxMs;
      timestampAfterMaxMs = afterMaxMs;
      return this;
    }

    /**
     * Sets the largest batch in bytes, prefix included, at least 0; no bound if not set.
     *
     * @param value the size
     * @return this builder
     */
    public Builder maxBatchBytes(int value) {
      if (value < 0) {
        throw new IllegalArgumentException("maxBatchBytes is negative: " + value);
      }
      maxBatchBytes = value;
      return this;
    }

    /**
     * Sets whether every record needs a key; false if not set.
     *
     * @param value true if the topic is compacted
     * @return this builder
     */
    public Builder compactedTopic(boolean value) {
      compactedTopic = value;
      return this;
    }

    /**
     * Sets whether the host has checked base offset, size, CRC and the magic of a client's batch;
     * false if not set. A broker has made these checks when it calls {@code LogValidator}.
     *
     * @param value true to skip these checks
     * @return this builder
     */
    public Builder checkedByHost(boolean value) {
      checkedByHost = value;
      return this;
    }

    /** {@return the policy} */
    public Policy build() {
      return new Policy(this);
    }
  }
}
