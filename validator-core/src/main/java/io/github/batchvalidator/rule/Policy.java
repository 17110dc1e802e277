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
  private final TimestampType timestampType;
  private final long timestampBeforeMaxMs;
  private final long timestampAfterMaxMs;
  private final int maxBatchBytes;
  private final boolean compactedTopic;
  private final boolean callerChecks;
  private final byte toMagic;
  private final boolean numbersAnew;

  private Policy(Builder builder) {
    origin = builder.origin;
    level = builder.level;
    observing = builder.observing;
    limits = builder.limits;
    timestampType = builder.timestampType;
    timestampBeforeMaxMs = builder.timestampBeforeMaxMs;
    timestampAfterMaxMs = builder.timestampAfterMaxMs;
    maxBatchBytes = builder.maxBatchBytes;
    compactedTopic = builder.compactedTopic;
    callerChecks = builder.callerChecks;
    toMagic = builder.toMagic;
    numbersAnew = builder.numbersAnew;
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
            && timestampType == policy.timestampType
            && timestampBeforeMaxMs == policy.timestampBeforeMaxMs
            && timestampAfterMaxMs == policy.timestampAfterMaxMs
            && maxBatchBytes == policy.maxBatchBytes
            && compactedTopic == policy.compactedTopic
            && callerChecks == policy.callerChecks
            && toMagic == policy.toMagic
            && numbersAnew == policy.numbersAnew);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        origin,
        level,
        observing,
        limits,
        timestampType,
        timestampBeforeMaxMs,
        timestampAfterMaxMs,
        maxBatchBytes,
        compactedTopic,
        callerChecks,
        toMagic,
        numbersAnew);
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

  /** {@return the topic's {@code message.timestamp.type}} */
  public TimestampType timestampType() {
    return timestampType;
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
   * {@return true if base offset, size and CRC are checked here, as Kafka's {@code UnifiedLog} does
   * before it calls {@code LogValidator}, and the magic of a client's batch, as its {@code
   * ProduceRequest} does}
   */
  public boolean callerChecks() {
    return callerChecks;
  }

  /** {@return the magic that the log stores, 0 to 2; a batch of another one has to be rebuilt} */
  public byte toMagic() {
    return toMagic;
  }

  /**
   * {@return true if the records of a batch of magic 2 get new offsets, because they are written
   * anew}
   */
  public boolean numbersAnew() {
    return numbersAnew || toMagic != Builder.LARGEST_MAGIC;
  }

  /** Collects the settings of a {@link Policy}. Not for use by several threads at once. */
  public static final class Builder {
    private static final byte LARGEST_MAGIC = 2;

    private final Origin origin;
    private Level level = Level.KAFKA;
    private boolean observing;
    private Limits limits = Limits.UNBOUNDED_AS_KAFKA;
    private TimestampType timestampType = TimestampType.CREATE_TIME;
    private long timestampBeforeMaxMs = Long.MAX_VALUE;
    private long timestampAfterMaxMs = Long.MAX_VALUE;
    private int maxBatchBytes = Integer.MAX_VALUE;
    private boolean compactedTopic;
    private boolean callerChecks = true;
    private byte toMagic = LARGEST_MAGIC;
    private boolean numbersAnew;

    private Builder(Origin origin) {
      this.origin = Objects.requireNonNull(origin, "origin");
    }

    private Builder(Policy policy) {
      origin = policy.origin;
      level = policy.level;
      observing = policy.observing;
      limits = policy.limits;
      timestampType = policy.timestampType;
      timestampBeforeMaxMs = policy.timestampBeforeMaxMs;
      timestampAfterMaxMs = policy.timestampAfterMaxMs;
      maxBatchBytes = policy.maxBatchBytes;
      compactedTopic = policy.compactedTopic;
      callerChecks = policy.callerChecks;
      toMagic = policy.toMagic;
      numbersAnew = policy.numbersAnew;
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
     * Sets the topic's timestamp type; create time if not set.
     *
     * @param value the type
     * @return this builder
     */
    public Builder timestampType(TimestampType value) {
      timestampType = Objects.requireNonNull(value, "timestampType");
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
     * Sets whether base offset, size and CRC are checked here, and the magic of a client's batch;
     * true if not set. False is for a host that has done so already, as a broker has when it calls
     * {@code LogValidator}.
     *
     * @param value false if the host has checked
     * @return this builder
     */
    public Builder callerChecks(boolean value) {
      callerChecks = value;
      return this;
    }

    /**
     * Sets the magic that the log stores; 2 if not set, as every broker since 4.0 does. Means
     * nothing for {@link Origin#STORED}.
     *
     * @param value 0 to 2
     * @return this builder
     */
    public Builder toMagic(byte value) {
      if (value < 0 || value > LARGEST_MAGIC) {
        throw new IllegalArgumentException("toMagic is not 0, 1 or 2: " + value);
      }
      toMagic = value;
      return this;
    }

    /**
     * Sets whether the records of a batch of magic 2 get new offsets because they are written anew,
     * as they are where the topic has another codec; false if not set. Then offsets out of turn are
     * put right by Kafka, compressed or not, and only {@link Level#STRICT} minds them; what is
     * accepted {@linkplain Verdict#needsRebuild() needs a rebuild}. So it is where {@link #toMagic}
     * is not 2. Means nothing for {@link Origin#STORED}, and for messages of magic 0 and 1, of
     * which a host knows what it writes anew.
     *
     * @param value true if they are
     * @return this builder
     */
    public Builder numbersAnew(boolean value) {
      numbersAnew = value;
      return this;
    }

    /** {@return the policy} */
    public Policy build() {
      return new Policy(this);
    }
  }
}
