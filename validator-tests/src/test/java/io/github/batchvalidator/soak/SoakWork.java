// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.KafkaReads;
import io.github.batchvalidator.lines.SoakTraffic;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Random;

/** What one thread does: validators that live for a while, then others, beside the drop-in. */
final class SoakWork {
  private static final int LARGEST_PLAIN = 64 << 20;
  private static final int LARGEST_REBUILT = 16 << 20;

  private final SoakTraffic traffic;
  private final SoakCounts counts;
  private final Random random;
  private final MutableVerdict verdict = new MutableVerdict();

  SoakWork(SoakTraffic traffic, SoakCounts counts, long seed) {
    this.traffic = traffic;
    this.counts = counts;
    random = new Random(seed);
  }

  /** Makes a validator and a rebuilder, uses them for so many calls, and closes them. */
  void life(int calls) {
    try (BatchValidator validator = validator();
        BatchRebuilder rebuilder = new BatchRebuilder()) {
      for (int i = 0; i < calls; i++) {
        switch (random.nextInt(8)) {
          case 0 -> counts.appended(traffic.append(random));
          case 1 -> rebuild(rebuilder);
          default -> inspect(validator);
        }
      }
    }
    counts.closed();
  }

  private BatchValidator validator() {
    return switch (random.nextInt(5)) {
      case 0 -> new BatchValidator(GzipInflater.JAVA);
      case 1 -> new BatchValidator(GzipInflater.AUTO);
      case 2 -> BatchValidator.lowMemory();
      case 3 -> KafkaReads.validator();
      default -> new BatchValidator();
    };
  }

  private void inspect(BatchValidator validator) {
    ByteBuffer batch = traffic.next(random);
    validator.inspect(batch, policy(any(Origin.values())), Batches.nowMs(), verdict);
    counts.inspected(verdict);
  }

  private void rebuild(BatchRebuilder rebuilder) {
    ByteBuffer batch = traffic.next(random);
    Codec target = any(Codec.values());
    Policy policy = Batches.storing(policy(Origin.CLIENT), target);
    rebuilder.firstOffset(1000);
    counts.rebuilt(rebuilder.rebuild(batch, policy, Batches.nowMs(), verdict));
  }

  private Policy policy(Origin origin) {
    Limits limits =
        Limits.UNBOUNDED_AS_KAFKA
            .with(Limit.PLAIN_BYTES, LARGEST_PLAIN)
            .with(Limit.REBUILT_BYTES, LARGEST_REBUILT);
    return Policy.builder(origin)
        .limits(limits)
        .level(any(Level.values()))
        .observing(random.nextBoolean())
        .target(Target.PRODUCER.withTimestampType(any(TimestampType.values())))
        .checkedByHost(random.nextBoolean())
        .build();
  }

  private <T> T any(T[] all) {
    return all[random.nextInt(all.length)];
  }
}
