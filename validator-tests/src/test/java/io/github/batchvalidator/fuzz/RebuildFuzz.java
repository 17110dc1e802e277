// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.engine.BatchEngine;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;

/** Any batches to the rebuilder: the same bytes wherever the source lies, and a sound batch. */
final class RebuildFuzz {
  /** How many choices it takes beside those of the policy. */
  static final int CHOICES = 4;

  private static final BatchEngine REBUILDER = BatchEngine.fastest(GzipInflater.AUTO);
  private static final BatchValidator VALIDATOR = new BatchValidator();
  private static final int BATCH_OVERHEAD = 1 << 10;

  private final Policy policy;
  private final long firstOffset;
  private final boolean said;
  private final Codec source;
  private final byte[] batch;
  private final MutableVerdict verdict = new MutableVerdict();

  private RebuildFuzz(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    Policy topic = FuzzPolicy.of(input).build();
    policy = Batches.storing(topic, input.of(Codec.values()));
    firstOffset = input.of(0L, 1000L, Long.MAX_VALUE - 2);
    said = input.flag();
    source = input.of(Codec.values());
    batch = FuzzBatch.of(input);
  }

  static void run(byte[] bytes) {
    RebuildFuzz fuzz = new RebuildFuzz(bytes);
    if (fuzz.policy.origin() == Origin.STORED) {
      return; // what lies in a log is not rebuilt
    }
    Trace expected = fuzz.rebuild(BufferKind.HEAP);
    for (BufferKind kind : BufferKind.values()) {
      fuzz.rebuild(kind).requireSame(expected, kind.name());
    }
    fuzz.check(BufferKind.DIRECT).requireSame(fuzz.check(BufferKind.HEAP), "checked only");
  }

  private Trace rebuild(BufferKind kind) {
    Untouched untouched = new Untouched(kind, batch, (byte) 2);
    BatchIterator framed = Batches.framed(untouched.buffer());
    Codec given = said ? source : null;
    boolean rebuilt =
        REBUILDER.rebuild(framed, policy, given, firstOffset, Batches.nowMs(), verdict);
    untouched.require();
    Trace trace = Verdicts.trace(verdict).add(rebuilt);
    if (rebuilt) {
      ByteBuffer result = REBUILDER.rebuiltBatch();
      requireSound(result);
      trace.add(Batches.copy(result).array()).add(REBUILDER.rebuiltRecords());
      trace.add(REBUILDER.rebuiltMaxTimestamp()).add(REBUILDER.offsetsTaken());
    }
    Fuzzing.require(rebuilt || verdict.reason() != null, "neither a batch nor a reason");
    return trace;
  }

  private Trace check(BufferKind kind) {
    Untouched untouched = new Untouched(kind, batch, (byte) 2);
    REBUILDER.check(untouched.buffer(), policy, Batches.nowMs(), verdict);
    untouched.require();
    return Verdicts.trace(verdict);
  }

  /** Requires that a log may hold the result, and that even level STRICT accepts it. */
  private void requireSound(ByteBuffer result) {
    Fuzzing.require(
        result.remaining() <= policy.limits().rebuiltBytes() + BATCH_OVERHEAD,
        "rebuilt " + result.remaining() + " bytes");
    Policy stored =
        Policy.builder(Origin.STORED)
            .level(Level.STRICT)
            .target(Target.PRODUCER.withMagic(policy.target().magic()))
            .build();
    MutableVerdict again = new MutableVerdict();
    ByteBuffer left = result.duplicate();
    while (left.hasRemaining()) {
      Fuzzing.require(
          VALIDATOR.inspect(left, stored, Batches.nowMs(), again),
          "rebuilt: " + again + " " + Batches.base64(Batches.copy(left).array()));
      left.position(left.position() + again.batchBytes());
    }
  }
}
