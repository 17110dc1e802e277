// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;

/** Policies out of a fuzzer's choices. */
final class FuzzPolicy {
  /** How many choices a policy takes. */
  static final int CHOICES = 11;

  private FuzzPolicy() {}

  static Policy.Builder of(FuzzInput input) {
    Limits limits =
        Limits.UNBOUNDED_AS_KAFKA
            .with(Limit.PLAIN_BYTES, input.of(1L << 18, 1000L, 60L, 0L))
            .with(Limit.CODEC_MEMORY_BYTES, input.of(1 << 27, 1 << 16))
            .with(
                Limit.RECORD_BYTES, input.of(Limits.UNLIMITED, Limits.LARGEST_RECORD_BYTES, 100, 7))
            .with(Limit.REBUILT_BYTES, input.of(1 << 27, 1000, 100, 1));
    Origin origin = input.of(Origin.values());
    TimestampType type = input.of(TimestampType.values());
    Policy.Builder builder =
        Policy.builder(origin)
            .limits(limits)
            .maxBatchBytes(input.of(Integer.MAX_VALUE, 100))
            .compactedTopic(input.flag())
            .checkedByHost(input.flag());
    byte magic = input.of((byte) 2, (byte) 1, (byte) 0);
    builder.target(Target.PRODUCER.withMagic(magic).withTimestampType(type));
    if (input.flag()) {
      builder.timestampWindowMs(1000, 1000);
    }
    return builder;
  }
}
