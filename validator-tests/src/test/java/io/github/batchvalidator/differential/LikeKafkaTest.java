// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.differential.KafkaOracle.Metric;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LikeKafkaTest {
  private static final Policy POLICY =
      Policy.builder(Origin.COORDINATOR).callerChecks(false).compactedTopic(true).build();

  private final KafkaOracle kafka = new KafkaOracle();
  private final BatchValidator ours = BatchValidator.likeKafka();
  private final BatchValidator fastest = new BatchValidator();
  private final Verdict verdict = new Verdict(1 << 20);
  private final Verdict other = new Verdict(1 << 20);
  private final Map<String, Integer> tally = new TreeMap<>();

  @ParameterizedTest
  @EnumSource(value = Codec.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void some(Codec codec) {
    run(codec, Long.getLong("seed", 1), Integer.getInteger("mutants", 10_000));
  }

  private void run(Codec codec, long seed, int mutants) {
    RandomBatches batches = new RandomBatches(seed);
    long start = System.nanoTime();
    int shown = 0;
    for (int i = 0; i < mutants; i++) {
      byte[] batch = batches.next(codec, i % 64 < 48 ? 20_000 : 400_000);
      KafkaAnswer theirs = kafka.ask(batch, POLICY, Referee.PLACE);
      boolean accepted = ours.inspect(ByteBuffer.wrap(batch), POLICY, Batches.nowMs(), verdict);
      boolean alsoAccepted =
          fastest.inspect(ByteBuffer.wrap(batch), POLICY, Batches.nowMs(), other);
      String what = compare(accepted, alsoAccepted, theirs);
      tally.merge(what, 1, Integer::sum);
      if (what.startsWith("!") && shown++ < 5) {
        System.out.println(
            what
                + " "
                + i
                + " ours "
                + verdict
                + " fast "
                + other
                + " theirs "
                + theirs.thrown()
                + " "
                + Collections.frequency(theirs.metrics(), Metric.NO_KEY)
                + " bytes "
                + batch.length);
      }
    }
    System.out.println(codec + " " + (System.nanoTime() - start) / 1_000_000 + " ms " + tally);
  }

  private String compare(boolean accepted, boolean alsoAccepted, KafkaAnswer theirs) {
    if (accepted != alsoAccepted) {
      return "!verdicts of ours";
    }
    if (theirs.crashed()) {
      return (accepted ? "!" : "")
          + "crash "
          + java.util.Objects.requireNonNull(theirs.thrown()).getClass().getSimpleName()
          + (accepted ? "" : " " + verdict.reason());
    }
    if (accepted != theirs.accepted()) {
      return "!verdict " + accepted;
    }
    if (accepted) {
      return "accepted";
    }
    boolean same = classAndMetrics(verdict, theirs);
    boolean sameFast = classAndMetrics(other, theirs);
    return (same ? "" : "!")
        + "refused "
        + theirs.answer()
        + (sameFast ? "" : " otherwise by fastest");
  }

  private static boolean classAndMetrics(Verdict v, KafkaAnswer theirs) {
    int keyless = 0;
    for (int i = 0; i < v.failureCount(); i++) {
      keyless += v.failureReason(i) == Reason.RECORD_KEY_MISSING ? 1 : 0;
    }
    return java.util.Objects.requireNonNull(v.reason()).answer() == theirs.answer()
        && keyless == Collections.frequency(theirs.metrics(), Metric.NO_KEY);
  }
}
