// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.engine.GuardedEngines;
import io.github.batchvalidator.engine.BatchEngine;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.utils.Time;

/** An append whose records are rebuilt: another codec, another magic or other offsets. */
final class RebuildingAppend {
  private RebuildingAppend() {}

  /** Rebuilds the records, or throws. */
  static void run(AppendContext append, Compression target) {
    run(append, target, append.parameters().time().milliseconds());
  }

  /** Rebuilds the records for an append at a known time, or throws. */
  static void run(AppendContext append, Compression target, long nowMs) {
    Time time = append.parameters().time();
    long started = time.nanoseconds();
    long first = append.nextOffset();
    Policy storing = append.storingPolicy(target);
    GuardedEngines engines = append.engines();
    if (!engines.rebuild(append.batches(), storing, append.source(), first, nowMs)) {
      throw refusal(append);
    }
    MutableVerdict verdict = strictVerdict(append, storing, nowMs);
    if (append.policy().level() == Level.STRICT && !verdict.accepted()) {
      throw append.refusal(verdict, false);
    }
    ByteBuffer batch = engines.rebuiltBatch();
    if (batch == null) {
      throw refusal(append);
    }
    append.report(verdict);
    append.stamp(batch, first, nowMs);
    BatchEngine engine = engines.engine();
    long temporaryBytes = engine.temporaryMemoryBytes(engines.verdict());
    append.outcome().setRebuilt(nowMs, engine.rebuiltMaxTimestamp(), temporaryBytes, batch);
    append.outcome().setConversion(engine.rebuiltRecords(), time.nanoseconds() - started);
  }

  /** Moves the offset counter as far as Kafka's builder would have moved it. */
  private static RuntimeException refusal(AppendContext append) {
    append.skipOffsets(append.engines().engine().offsetsTaken());
    return append.refusal(append.engines().verdict(), false);
  }

  /**
   * Returns the final verdict on a rebuilt batch. At level {@code KAFKA}, a strict inspection that
   * refuses the batch is ignored. Messages of magic 0 and 1 are not inspected strictly, because an
   * append can have several.
   */
  private static MutableVerdict strictVerdict(AppendContext append, Policy storing, long nowMs) {
    GuardedEngines engines = append.engines();
    MutableVerdict rebuilt = engines.verdict();
    if (!append.policy().looksStrictly() || rebuilt.magic() != BatchLayout.MAGIC_V2) {
      return rebuilt;
    }
    MutableVerdict strict =
        engines.inspectStrictly(append.buffer(), storing, append.source(), nowMs);
    RebuildCause cause = Objects.requireNonNull(rebuilt.rebuildCause());
    if (strict.accepted()) {
      strict.rebuilt(cause);
      return strict;
    }
    strict.rebuild(cause);
    return append.policy().level() == Level.STRICT ? strict : rebuilt;
  }
}
