// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One input, the class it belongs to, where it is sent, and what our answer has to be. */
final class HostileInput {
  /** The settings of a broker with clients that are not trusted. */
  static final Limits LIMITS = Limits.BROKER_DEFAULT;

  /** Where an input is sent. */
  enum Topic {
    ORDINARY,
    COMPACTED,
    /** Written by the broker itself. */
    INTERNAL,
    /** The caller has checked nothing. */
    UNCHECKED,
    /** A log of magic 1. */
    OLD,
    OLD_COMPACTED;

    private Policy.Builder policy() {
      boolean client = this == ORDINARY || this == COMPACTED;
      boolean old = this == OLD || this == OLD_COMPACTED;
      return Policy.builder(client ? Origin.CLIENT : Origin.COORDINATOR)
          .compactedTopic(this == COMPACTED || this == OLD_COMPACTED)
          .checkedByHost(this == UNCHECKED)
          .target(Target.PRODUCER.withMagic((byte) (old ? 1 : 2)));
    }
  }

  /** How an input is looked at. */
  enum Look {
    KAFKA,
    STRICT,
    LIMITED
  }

  private final String family;
  private final String name;
  private final Topic topic;
  private final Supplier<byte[]> bytes;
  private final @Nullable Reason kafka;
  private final @Nullable Reason strict;
  private @Nullable Reason limited;
  private boolean crashesStock;
  private boolean unlikeStock;

  HostileInput(
      String family,
      String name,
      Topic topic,
      Supplier<byte[]> bytes,
      @Nullable Reason kafka,
      @Nullable Reason strict) {
    this.family = family;
    this.name = name;
    this.topic = topic;
    this.bytes = bytes;
    this.kafka = kafka;
    this.strict = strict;
    limited = kafka;
  }

  /** Sets the answer where there are limits. */
  HostileInput limited(@Nullable Reason why) {
    limited = why;
    return this;
  }

  /** Crashes a stock validator or takes much of its memory, so it runs in a separate JVM there. */
  HostileInput crashesStock() {
    crashesStock = true;
    return this;
  }

  /** Answered otherwise by a stock validator, as docs/compatibility.md tells. */
  HostileInput unlikeStock() {
    unlikeStock = true;
    return this;
  }

  /** Returns the class of input, in the words of the document. */
  String family() {
    return family;
  }

  byte[] bytes() {
    return bytes.get();
  }

  /** Tells whether it is sent to a topic as any client may make it. */
  boolean isFromClients() {
    return topic == Topic.ORDINARY;
  }

  boolean isFellingStock() {
    return crashesStock;
  }

  boolean isUnlikeStock() {
    return unlikeStock;
  }

  /** Returns why it is to be refused, or null. */
  @Nullable Reason expected(Look look) {
    return switch (look) {
      case KAFKA -> kafka;
      case STRICT -> strict;
      case LIMITED -> limited;
    };
  }

  Policy policy(Look look) {
    Policy.Builder policy = topic.policy();
    return switch (look) {
      case KAFKA -> policy.build();
      case STRICT -> policy.level(Level.STRICT).build();
      case LIMITED -> policy.limits(LIMITS).build();
    };
  }

  @Override
  public String toString() {
    return family + ": " + name;
  }
}
