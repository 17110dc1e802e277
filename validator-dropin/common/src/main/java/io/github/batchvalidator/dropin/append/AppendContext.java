// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.engine.GuardedEngines;
import io.github.batchvalidator.dropin.policies.Targets;
import io.github.batchvalidator.dropin.refusal.ClientText;
import io.github.batchvalidator.dropin.refusal.Refusals;
import io.github.batchvalidator.internal.check.FramingRules;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.scan.BatchIterator;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.watch.ValidationListener;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The state of one append, and the steps that all kinds of append share. Reused for the next
 * append. Confined to one thread.
 */
final class AppendContext {
  private final GuardedEngines engines;
  private final ValidationListener listener;
  private final BatchIterator batches = new BatchIterator();
  private final Targets targets = new Targets();
  private final AppendOutcome outcome = new AppendOutcome();
  private @Nullable AppendParameters parameters;
  private @Nullable ByteBuffer buffer;
  private @Nullable MetricsRecorder metrics;
  private EarlyInspection early = EarlyInspection.NONE;
  private Policy policy = Policy.CLIENT;
  private Codec source = Codec.NONE;
  private Codec target = Codec.NONE;

  AppendContext(GuardedEngines engines, ValidationListener listener) {
    this.engines = engines;
    this.listener = listener;
  }

  void begin(
      AppendParameters append,
      ByteBuffer records,
      MetricsRecorder recorder,
      EarlyInspection inspection) {
    parameters = append;
    buffer = records;
    metrics = recorder;
    early = inspection;
    policy = append.policy();
    source = append.source();
    target = append.target();
    batches.wrap(records, records.position(), records.limit()).frame();
  }

  /** Drops all references to the append. */
  void clear() {
    parameters = null;
    buffer = null;
    metrics = null;
    early = EarlyInspection.NONE;
    outcome.clear();
    batches.clear();
  }

  AppendParameters parameters() {
    return Objects.requireNonNull(parameters);
  }

  /** {@return the records, or one of the batches after {@link #select()}} */
  ByteBuffer buffer() {
    return Objects.requireNonNull(buffer);
  }

  GuardedEngines engines() {
    return engines;
  }

  Policy policy() {
    return policy;
  }

  /** {@return the source codec that the caller passed} */
  Codec source() {
    return source;
  }

  /** {@return the codec that the topic stores} */
  Codec target() {
    return target;
  }

  /** {@return the policy of the append, with the codec and level that the topic stores} */
  Policy storingPolicy() {
    return targets.storing(policy, parameters().targetCompression(), target);
  }

  boolean isLogAppendTime() {
    return policy.target().timestampType() == TimestampType.LOG_APPEND_TIME;
  }

  AppendOutcome outcome() {
    return outcome;
  }

  /** {@return the iterator over the batches, wherever it stands} */
  BatchIterator batches() {
    return batches;
  }

  /** {@return the iterator, before the first batch of the append} */
  BatchIterator rewind() {
    return batches.rewind();
  }

  /** Sets position and limit of the buffer around the current batch of the iterator. */
  void select() {
    buffer().limit(batches.start() + batches.sizeInBytes()).position(batches.start());
  }

  /** {@return true if the selected batch is accepted, by the early inspection or now} */
  boolean inspect(Codec sourceCodec, long nowMs) {
    MutableVerdict found =
        early.takeVerdict(parameters().records(), buffer(), policy, source, nowMs);
    if (found != null) {
      engines.adopt(found);
      return true;
    }
    return engines.inspect(buffer(), policy, sourceCodec, nowMs);
  }

  long nextOffset() {
    return parameters().nextOffset();
  }

  /** Moves the caller's offset counter. */
  void skipOffsets(long count) {
    parameters().nextOffset(nextOffset() + count);
  }

  /** Writes offsets, leader epoch and time into an accepted batch, and moves the counter. */
  void stamp(ByteBuffer batch, long firstOffset, long nowMs) {
    AppendParameters append = parameters();
    append.nextOffset(engines.stamp(batch, firstOffset, append.partitionLeaderEpoch(), nowMs));
  }

  /** Notifies the listener of a verdict. */
  void report(MutableVerdict verdict) {
    listener.judged(verdict, parameters().partition());
  }

  /** {@return the magic of the first batch} The iterator may have moved further. */
  byte requireFirst(Codec codec) {
    MutableVerdict verdict = engines.newVerdict(policy);
    if (!FramingRules.checkFirst(rewind(), verdict)) {
      throw refusal(verdict, false);
    }
    byte magic = batches.magic();
    boolean mustBeAlone = magic == BatchLayout.MAGIC_V2 || codec != Codec.NONE;
    if (mustBeAlone && !FramingRules.batchNotAlone(batches, verdict)) {
      throw refusal(verdict, false);
    }
    return magic;
  }

  /** Throws if the iterator stopped at a fault. */
  void refuseBadFraming() {
    if (FramingRules.endsInFault(batches)) {
      MutableVerdict verdict = engines.newVerdict(policy);
      FramingRules.checkEnd(batches, verdict);
      throw refusal(verdict, false);
    }
  }

  /** Reports a refusal that no engine found, and returns the exception for it. */
  RuntimeException refusal(Reason why, long first, long second) {
    MutableVerdict verdict = engines.newVerdict(policy);
    verdict.refuse(why, 0, first, second);
    return refusal(verdict, false);
  }

  /**
   * Reports a refusal, and returns the exception for it.
   *
   * @param verdict the verdict that refuses
   * @param skipsFields true if Kafka skips the fields of compressed records in this case
   */
  RuntimeException refusal(MutableVerdict verdict, boolean skipsFields) {
    AppendParameters append = parameters();
    report(verdict);
    ClientText text = new ClientText(verdict, append.partition(), policy, buffer(), skipsFields);
    return Refusals.of(verdict, text, Objects.requireNonNull(metrics));
  }
}
