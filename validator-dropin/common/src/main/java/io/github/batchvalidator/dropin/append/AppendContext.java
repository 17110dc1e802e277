// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.engine.GuardedEngines;
import io.github.batchvalidator.dropin.policies.Targets;
import io.github.batchvalidator.dropin.refusal.ClientText;
import io.github.batchvalidator.dropin.refusal.Refusals;
import io.github.batchvalidator.engine.AppendRules;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationListener;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.compress.Compression;
import org.jspecify.annotations.Nullable;

/**
 * The state of one append, and the steps that all kinds of append share. Pooled, because its
 * engines have codec contexts and scratch memory, which are too expensive to create per append.
 *
 * <p>Confined to one thread at a time.
 */
final class AppendContext implements AutoCloseable {
  private final int slot;
  private final GuardedEngines engines;
  private final ValidationListener listener;
  private final BatchIterator batches = new BatchIterator();
  private final Targets targets = new Targets();
  private final AppendOutcome outcome = new AppendOutcome();
  private @Nullable AppendParameters parameters;
  private @Nullable Object records;
  private @Nullable ByteBuffer buffer;
  private EarlyInspection early = EarlyInspection.NONE;
  private long nextOffset;

  /**
   * Creates a context.
   *
   * @param recordErrors the number of failing records that it remembers
   * @param gzip the inflater for gzip
   * @param listener notified of each verdict, with the partition
   * @param slot the slot in the pool
   */
  AppendContext(int recordErrors, GzipInflater gzip, ValidationListener listener, int slot) {
    this.slot = slot;
    engines = new GuardedEngines(recordErrors, gzip);
    this.listener = listener;
  }

  /** {@return the slot in the pool} */
  int slot() {
    return slot;
  }

  /**
   * Starts an append.
   *
   * @param append the parameters of the append
   * @param kafkaRecords Kafka's object for the records
   * @param bytes the records, from position to limit; the append changes both
   * @param firstOffset the offset of the first record
   * @param inspection the early inspection of this thread
   */
  void begin(
      AppendParameters append,
      Object kafkaRecords,
      ByteBuffer bytes,
      long firstOffset,
      EarlyInspection inspection) {
    parameters = append;
    records = kafkaRecords;
    buffer = bytes;
    nextOffset = firstOffset;
    early = inspection;
    batches.wrap(bytes, bytes.position(), bytes.limit()).frame();
  }

  /** Drops all references to the append. An idle context must not retain a request. */
  void clear() {
    parameters = null;
    records = null;
    buffer = null;
    early = EarlyInspection.NONE;
    outcome.clear();
    batches.clear();
  }

  /** {@return true if the pool must close this context: it failed, or it holds too much memory} */
  boolean mustClose() {
    return engines.broken() || engines.holdsTooMuch();
  }

  @Override
  public void close() {
    engines.close();
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
    return parameters().policy();
  }

  /** {@return the source codec that the caller passed} */
  Codec source() {
    return parameters().source();
  }

  /** {@return the codec that the topic stores} */
  Codec target() {
    return parameters().target();
  }

  /**
   * {@return the policy of the append, with the codec and level that the topic stores}
   *
   * @param compression the codec and level that the topic stores
   */
  Policy storingPolicy(Compression compression) {
    return targets.storing(policy(), compression, target());
  }

  boolean isLogAppendTime() {
    return policy().target().timestampType() == TimestampType.LOG_APPEND_TIME;
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

  /**
   * {@return true if the selected batch is accepted, by the early inspection or now}
   *
   * @param sequential as for {@link GuardedEngines#inspect}
   * @param nowMs the time of the append
   */
  boolean inspect(boolean sequential, long nowMs) {
    MutableVerdict found =
        early.takeVerdict(Objects.requireNonNull(records), buffer(), policy(), source(), nowMs);
    if (found != null) {
      engines.adopt(found);
      return true;
    }
    return engines.inspect(buffer(), policy(), source(), sequential, nowMs);
  }

  /** {@return the offset of the next record, also after a refusal} */
  long nextOffset() {
    return nextOffset;
  }

  void skipOffsets(long count) {
    nextOffset += count;
  }

  /** Writes offsets, leader epoch and time into an accepted batch. */
  void stamp(ByteBuffer batch, long firstOffset, long nowMs) {
    nextOffset = engines.stamp(batch, firstOffset, parameters().partitionLeaderEpoch(), nowMs);
  }

  /** Notifies the listener of a verdict. */
  void report(MutableVerdict verdict) {
    listener.judged(verdict, parameters().partition());
  }

  /** Stops at the first batch of another magic. Batches after it are not checked, as in Kafka. */
  boolean allHaveTargetMagic() {
    byte magic = policy().target().magic();
    rewind();
    if (batches.isAlone()) {
      return batches.next() && batches.magic() == magic;
    }
    while (batches.next()) {
      if (batches.magic() != magic) {
        return false;
      }
    }
    refuseBadFraming();
    return true;
  }

  /** {@return the magic of the first batch, where the iterator then stands} */
  byte requireFirst(Codec codec) {
    if (batches.isAlone() && rewind().next()) {
      return batches.magic();
    }
    MutableVerdict verdict = engines.newVerdict(policy());
    if (!AppendRules.checkFirst(rewind(), verdict)) {
      throw refusal(verdict, false);
    }
    byte magic = batches.magic();
    boolean mustBeAlone = magic == BatchLayout.MAGIC_V2 || codec != Codec.NONE;
    if (mustBeAlone && !AppendRules.checkAlone(batches, verdict)) {
      throw refusal(verdict, false);
    }
    rewind().next();
    return magic;
  }

  /** Throws if the iterator stopped at a fault. */
  void refuseBadFraming() {
    if (AppendRules.endsInFault(batches)) {
      MutableVerdict verdict = engines.newVerdict(policy());
      AppendRules.checkEnd(batches, verdict);
      throw refusal(verdict, false);
    }
  }

  /** Reports a refusal that no engine found, and returns the exception for it. */
  RuntimeException refusal(Reason why, long first, long second) {
    MutableVerdict verdict = engines.newVerdict(policy());
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
    ClientText text =
        new ClientText(verdict, append.partition(), append.policy(), buffer(), skipsFields);
    return Refusals.of(verdict, text, append);
  }
}
