// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The rules for a batch: origin, level, limits, and the topic settings that Kafka passes to {@code
 * LogValidator}.
 *
 * <p>The defaults are those of a topic without restrictions: create time, any timestamp, no
 * compaction, any size.
 *
 * <pre>{@code
 * Policy policy =
 *     Policy.builder(Origin.CLIENT)
 *         .level(Level.STRICT)
 *         .limits(Limits.BROKER_DEFAULT)
 *         .target(Target.of(Codec.ZSTD))
 *         .maxBatchBytes(1_048_588)
 *         .build();
 * }</pre>
 *
 * <p>Immutable and safe for use by multiple threads. Build a policy once per topic configuration.
 */
public final class Policy {

  /** A batch from a produce request, all defaults. */
  public static final Policy CLIENT = builder(Origin.CLIENT).build();

  /** A batch of a log segment, all defaults. */
  public static final Policy STORED = builder(Origin.STORED).build();

  /** The section of a policy whose rules come from no policy file. */
  public static final String DEFAULT_SECTION = "default";

  private final Origin origin;
  private final String section;
  private final Level level;
  private final boolean observing;
  private final Limits limits;
  private final TopicRules topicRules;
  private final Target target;
  private final long timestampBeforeMaxMs;
  private final long timestampAfterMaxMs;
  private final int maxBatchBytes;
  private final boolean compactedTopic;
  private final boolean checkedByHost;

  private Policy(Builder builder) {
    origin = builder.origin;
    section = builder.section;
    level = builder.level;
    observing = builder.observing;
    limits = builder.limits;
    topicRules = builder.topicRules;
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
   * @param origin the source of the batches
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
            && section.equals(policy.section)
            && level == policy.level
            && observing == policy.observing
            && limits.equals(policy.limits)
            && topicRules.equals(policy.topicRules)
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
        section,
        level,
        observing,
        limits,
        topicRules,
        target,
        timestampBeforeMaxMs,
        timestampAfterMaxMs,
        maxBatchBytes,
        compactedTopic,
        checkedByHost);
  }

  /** {@return the origin, and each setting that is not the default} */
  @Override
  public String toString() {
    Policy byDefault = new Builder(origin).build();
    StringJoiner text = new StringJoiner(", ", "Policy{", "}");
    text.add(origin.toString());
    add(text, "section", section, byDefault.section);
    add(text, "level", level, byDefault.level);
    add(text, "observing", observing, byDefault.observing);
    add(text, "limits", limits, byDefault.limits);
    add(text, "topicRules", topicRules, byDefault.topicRules);
    add(text, "target", target, byDefault.target);
    add(text, "timestampBeforeMaxMs", timestampBeforeMaxMs, byDefault.timestampBeforeMaxMs);
    add(text, "timestampAfterMaxMs", timestampAfterMaxMs, byDefault.timestampAfterMaxMs);
    add(text, "maxBatchBytes", maxBatchBytes, byDefault.maxBatchBytes);
    add(text, "compactedTopic", compactedTopic, byDefault.compactedTopic);
    add(text, "checkedByHost", checkedByHost, byDefault.checkedByHost);
    return text.toString();
  }

  private static void add(StringJoiner text, String name, Object value, Object byDefault) {
    if (!value.equals(byDefault)) {
      text.add(name + "=" + value);
    }
  }

  /** {@return the source of the batches} */
  public Origin origin() {
    return origin;
  }

  /** {@return the name of the section of a policy file that the rules come from} */
  public String section() {
    return section;
  }

  /** {@return the level at which batches are checked} */
  public Level level() {
    return level;
  }

  /**
   * {@return true if violations of {@link Level#STRICT} and of {@link #topicRules} are reported as
   * findings, although the level is {@link Level#KAFKA}}
   */
  public boolean observing() {
    return observing;
  }

  /** {@return true if the checks of {@link Level#STRICT} are made, to refuse or to report} */
  public boolean looksStrictly() {
    return observing || level == Level.STRICT;
  }

  /** {@return the bounds on the cost of a batch} */
  public Limits limits() {
    return limits;
  }

  /** {@return what the topic requires of its records, beyond the rules of Kafka} */
  public TopicRules topicRules() {
    return topicRules;
  }

  /** {@return the form in which the topic stores batches} */
  public Target target() {
    return target;
  }

  /** {@return the maximum age of a record's timestamp, in milliseconds before now} */
  public long timestampBeforeMaxMs() {
    return timestampBeforeMaxMs;
  }

  /** {@return the maximum lead of a record's timestamp, in milliseconds after now} */
  public long timestampAfterMaxMs() {
    return timestampAfterMaxMs;
  }

  /** {@return the topic's {@code max.message.bytes}: the maximum batch size, with the prefix} */
  public int maxBatchBytes() {
    return maxBatchBytes;
  }

  /** {@return true if every record needs a key} */
  public boolean compactedTopic() {
    return compactedTopic;
  }

  /**
   * {@return true if the host has already checked base offset, size and CRC, and the magic of a
   * client's batch; the validator then skips these checks} Kafka makes the first three in {@code
   * UnifiedLog} and the last one in {@code ProduceRequest}.
   */
  public boolean checkedByHost() {
    return checkedByHost;
  }

  /** A builder of a {@link Policy}. Not thread-safe. */
  public static final class Builder {
    private final Origin origin;
    private String section = DEFAULT_SECTION;
    private Level level = Level.KAFKA;
    private boolean observing;
    private Limits limits = Limits.GENEROUS;
    private TopicRules topicRules = TopicRules.NONE;
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
      section = policy.section;
      level = policy.level;
      observing = policy.observing;
      limits = policy.limits;
      topicRules = policy.topicRules;
      target = policy.target;
      timestampBeforeMaxMs = policy.timestampBeforeMaxMs;
      timestampAfterMaxMs = policy.timestampAfterMaxMs;
      maxBatchBytes = policy.maxBatchBytes;
      compactedTopic = policy.compactedTopic;
      checkedByHost = policy.checkedByHost;
    }

    /**
     * Sets the name of the section of a policy file that the rules come from. It is a label for
     * counts and events, and has no influence on verdicts. The default is {@link #DEFAULT_SECTION}.
     *
     * @param value the name, never one that a client has chosen
     * @return this builder
     */
    public Builder section(String value) {
      section = Objects.requireNonNull(value, "section");
      return this;
    }

    /**
     * Sets the level at which batches are checked. The default is {@link Level#KAFKA}.
     *
     * @param value the level
     * @return this builder
     */
    public Builder level(Level value) {
      level = Objects.requireNonNull(value, "level");
      return this;
    }

    /**
     * Sets whether violations of {@link Level#STRICT} and of {@link #topicRules} are only reported
     * as findings, while the verdict stays that of {@link Level#KAFKA}. The default is false. Level
     * STRICT reports its findings in any case, and ignores this setting.
     *
     * @param value true to report them
     * @return this builder
     */
    public Builder observing(boolean value) {
      observing = value;
      return this;
    }

    /**
     * Sets the bounds on the cost of a batch. The default is {@link Limits#GENEROUS}.
     *
     * @param value the limits
     * @return this builder
     */
    public Builder limits(Limits value) {
      limits = Objects.requireNonNull(value, "limits");
      return this;
    }

    /**
     * Sets what the topic requires of its records, beyond the rules of Kafka. The default is {@link
     * TopicRules#NONE}. The rules apply to {@link Origin#CLIENT} and {@link Origin#STORED}.
     *
     * @param value the rules
     * @return this builder
     */
    public Builder topicRules(TopicRules value) {
      topicRules = Objects.requireNonNull(value, "topicRules");
      return this;
    }

    /**
     * Sets the form in which the topic stores batches. The default is {@link Target#PRODUCER}.
     * {@link Origin#STORED} ignores it.
     *
     * @param value codec, level, magic and timestamp type
     * @return this builder
     */
    public Builder target(Target value) {
      target = Objects.requireNonNull(value, "target");
      return this;
    }

    /**
     * Sets the window of allowed create times, both bounds included (KIP-937). The comparison wraps
     * around as in Kafka. The default is no bound.
     *
     * @param beforeMaxMs the topic's {@code message.timestamp.before.max.ms}
     * @param afterMaxMs the topic's {@code message.timestamp.after.max.ms}
     * @return this builder
     */
    public Builder timestampWindowMs(long beforeMaxMs, long afterMaxMs) {
      timestampBeforeMaxMs = beforeMaxMs;
      timestampAfterMaxMs = afterMaxMs;
      return this;
    }

    /**
     * Sets the maximum batch size. The default is no bound.
     *
     * @param value bytes with the prefix, at least 0
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
     * Sets whether every record needs a key. The default is false.
     *
     * @param value true if the topic is compacted
     * @return this builder
     */
    public Builder compactedTopic(boolean value) {
      compactedTopic = value;
      return this;
    }

    /**
     * Sets whether the host has already checked base offset, size, CRC and the magic of a client's
     * batch. The default is false. A broker makes these checks before it calls {@code
     * LogValidator}.
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
