// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.streams.ZstdContentSizes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Any batch under any policy: the same verdict wherever the bytes lie, whatever was inspected
 * before and with either inflater, within the limits, and levels that imply each other as they say.
 */
final class InspectFuzz {
  /** Zstd's output where memory is not low. */
  private static final long LARGE_WINDOW_BYTES = 16 << 10;

  private static final BatchValidator FASTEST = new BatchValidator();
  private static final BatchValidator JAVA = new BatchValidator(GzipInflater.JAVA);
  private static final BatchValidator LOW_MEMORY = BatchValidator.lowMemory();

  private final Policy.Builder builder;
  private final byte[] batch;
  private final MutableVerdict verdict = new MutableVerdict();

  private InspectFuzz(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    builder = FuzzPolicy.of(input);
    batch = FuzzBatch.of(input);
  }

  private InspectFuzz(Policy.Builder builder, byte[] batch) {
    this.builder = builder;
    this.batch = batch;
  }

  static void atKafka(byte[] bytes) {
    InspectFuzz fuzz = new InspectFuzz(bytes);
    Policy policy = fuzz.builder.build();
    Trace expected = fuzz.everywhere(policy);
    Policy observing = fuzz.builder.observing(true).build();
    fuzz.inspect(FASTEST, BufferKind.HEAP, observing);
    Verdicts.trace(fuzz.verdict).requireSame(expected, "observing");
  }

  static void atStrict(byte[] bytes) {
    InspectFuzz fuzz = new InspectFuzz(bytes);
    Policy strict = fuzz.builder.level(Level.STRICT).build();
    fuzz.everywhere(strict);
    boolean accepted = fuzz.verdict.accepted();
    Policy observing = fuzz.builder.level(Level.KAFKA).observing(true).build();
    fuzz.inspect(FASTEST, BufferKind.HEAP, observing);
    Fuzzing.require(
        accepted == (fuzz.verdict.accepted() && fuzz.verdict.findings().count() == 0),
        "strictly accepted is " + accepted + ", observing: " + fuzz.verdict.findings());
    fuzz.inspect(FASTEST, BufferKind.HEAP, fuzz.builder.observing(false).build());
    Fuzzing.require(!accepted || fuzz.verdict.accepted(), "only strictly accepted");
  }

  /** Returns the verdict; it is that of the last inspection, too. */
  private Trace everywhere(Policy policy) {
    Trace expected = inspect(FASTEST, BufferKind.HEAP, policy);
    requireWithinLimits(policy);
    Fuzzing.require(!verdict.toString().isEmpty(), "no text");
    for (BufferKind kind : BufferKind.values()) {
      inspect(FASTEST, kind, policy).requireSame(expected, kind.name());
    }
    boolean accepted = verdict.accepted();
    @Nullable Reason reason = verdict.reason();
    inspect(JAVA, BufferKind.DIRECT, policy);
    requireAlike(accepted, reason, "inflated in Java");
    inspect(LOW_MEMORY, BufferKind.HEAP, policy);
    if (!isAlike(accepted, reason)) {
      requireAlikeWithoutContentSizes(accepted, reason, policy);
    }
    inspect(FASTEST, BufferKind.HEAP, policy).requireSame(expected, "at last");
    return Verdicts.trace(verdict);
  }

  private Trace inspect(BatchValidator validator, BufferKind kind, Policy policy) {
    Untouched untouched = new Untouched(kind, batch, (byte) -1);
    boolean accepted = validator.inspect(untouched.buffer(), policy, Batches.nowMs(), verdict);
    untouched.require();
    Fuzzing.require(accepted == verdict.accepted(), "the return value is not the verdict");
    Fuzzing.require(accepted == (verdict.reason() == null), "no reason, but refused");
    Fuzzing.require(
        0 <= verdict.position() && verdict.position() <= batch.length,
        "position " + verdict.position() + " of " + batch.length);
    return Verdicts.traceWithFindings(verdict);
  }

  private void requireWithinLimits(Policy policy) {
    if (verdict.codec() == null || (verdict.magic() < 2 && verdict.codec() == Codec.NONE)) {
      return;
    }
    long most = policy.limits().plainBytes();
    Fuzzing.require(verdict.plainBytes() <= most, "plain bytes " + verdict.plainBytes());
    Fuzzing.require(
        verdict.reason() != Reason.LIMIT_PLAIN_BYTES
            || (verdict.plainBytes() == most && verdict.firstOperand() == most + 1),
        "read " + verdict.plainBytes() + ", " + verdict);
  }

  private void requireAlike(boolean accepted, @Nullable Reason reason, String how) {
    Fuzzing.require(
        isAlike(accepted, reason),
        how + ": " + verdict + ", otherwise " + Objects.toString(reason));
  }

  /** If a stream has two faults, other windows may report the other one. This includes limits. */
  private boolean isAlike(boolean accepted, @Nullable Reason reason) {
    boolean compressed = verdict.codec() != null && verdict.codec() != Codec.NONE;
    return accepted == verdict.accepted() && (compressed || reason == verdict.reason());
  }

  /**
   * Small windows may differ over a frame of zstd that declares a content size for which only the
   * large ones have room, and only over what it makes of that size: a difference named {@code
   * ZSTD_CONTENT_SIZE_IN_LOW_MEMORY}, gone with the size.
   */
  private void requireAlikeWithoutContentSizes(
      boolean accepted, @Nullable Reason reason, Policy policy) {
    String what = "with small windows: " + verdict + ", otherwise " + Objects.toString(reason);
    Fuzzing.require(
        verdict.codec() == Codec.ZSTD
            && (accepted ? verdict.reason() : reason) == Reason.CODEC_DATA_CORRUPT,
        what);
    byte[] without = withoutContentSizes();
    Fuzzing.require(!Arrays.equals(batch, without), what);
    InspectFuzz fuzz = new InspectFuzz(builder, without);
    fuzz.inspect(FASTEST, BufferKind.HEAP, policy);
    boolean acceptedWithout = fuzz.verdict.accepted();
    @Nullable Reason reasonWithout = fuzz.verdict.reason();
    fuzz.inspect(LOW_MEMORY, BufferKind.HEAP, policy);
    fuzz.requireAlike(acceptedWithout, reasonWithout, "without content sizes, " + what);
  }

  private byte[] withoutContentSizes() {
    byte[] header = Arrays.copyOf(batch, BatchLayout.HEADER_BYTES);
    int end = verdict.batchBytes();
    byte[] payload = Arrays.copyOfRange(batch, header.length, end);
    byte[] without = ZstdContentSizes.without(payload, LARGE_WINDOW_BYTES);
    ByteBuffer whole = ByteBuffer.allocate(header.length + without.length + batch.length - end);
    whole.put(header).put(without).put(batch, end, batch.length - end);
    int length = header.length + without.length - BatchLayout.LOG_OVERHEAD;
    whole.putInt(BatchLayout.LENGTH_OFFSET, length);
    return Batches.fixCrc(whole.flip()).array();
  }
}
