// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.internal.check.InPlaceRules;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.LegacyLayout;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.internal.scan.BatchIterator;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.jspecify.annotations.Nullable;

/**
 * One append, as Kafka's {@code LogValidator} handles it: which way the records go, what is checked
 * in which order, what the offset counter, the metrics and the result say afterwards.
 *
 * <p>A line's class adds what moved between lines. One instance per append, used by one thread.
 *
 * @param <R> the line's {@code ValidationResult}
 */
public abstract class AppendValidation<R> {
  private static final long NO_TIMESTAMP = -1;

  /** What a message in a compressed one is refused for when those before it were checked. */
  private static final Set<Reason> FOUND_IN_TURN =
      EnumSet.of(Reason.RECORD_COMPRESSED, Reason.RECORD_CRC_MISMATCH);

  private final TopicPartition partition;
  private final Time time;
  private final Policy policy;
  private final Codec source;
  private final Codec target;
  private final int partitionLeaderEpoch;

  /**
   * Notes what {@code LogValidator} is told.
   *
   * @param partition for texts
   * @param time is asked once
   * @param policy of {@link DropIn#policies()}
   * @param sourceId id of what the caller takes for the records' codec
   * @param targetId id of the codec that the log stores
   * @param partitionLeaderEpoch is written into the batch
   */
  protected AppendValidation(
      TopicPartition partition,
      Time time,
      Policy policy,
      int sourceId,
      int targetId,
      int partitionLeaderEpoch) {
    this.partition = partition;
    this.time = time;
    this.policy = policy;
    this.source = codec(sourceId);
    this.target = codec(targetId);
    this.partitionLeaderEpoch = partitionLeaderEpoch;
  }

  /** {@return Kafka's object for the records, as the append was given it} */
  protected abstract Object records();

  /** {@return the records, position and limit around them; the buffer object is ours alone} */
  protected abstract ByteBuffer buffer();

  /** {@return what the log stores, with its level} */
  protected abstract Compression targetCompression();

  /** {@return the refusal of zstd in a cluster that speaks a version without it} */
  protected static RuntimeException zstdTooNew() {
    return new UnsupportedCompressionTypeException(ClientText.ZSTD_TOO_NEW);
  }

  /** What a line looks at before it reads anything of records that are, or will be, compressed. */
  protected void beforeCompressed() {}

  /** {@return the caller's offset counter: the offset of the next record} */
  protected abstract long nextOffset();

  /**
   * Sets the caller's offset counter.
   *
   * @param offset of the next record
   */
  protected abstract void nextOffset(long offset);

  /**
   * Makes the line's result.
   *
   * @param nowMs the time of the append
   * @param rebuilt the records written anew, or null if the caller's are stored
   * @param maxTimestamp of the records, or now, or -1
   * @param temporaryBytes as Kafka counts them
   * @param converted how many records were written anew
   * @param conversionNanos how long that took
   * @return the result
   */
  protected abstract R result(
      long nowMs,
      @Nullable ByteBuffer rebuilt,
      long maxTimestamp,
      long temporaryBytes,
      int converted,
      long conversionNanos);

  /**
   * Does what {@code validateMessagesAndAssignOffsets} does.
   *
   * @param metrics is told of faults
   * @return the result
   */
  protected final R validate(MetricsRecorder metrics) {
    Ahead found = OffLock.current();
    if (found == null) {
      return validateHere(buffer(), metrics);
    }
    found.learn(records(), policy, source, target);
    try {
      ByteBuffer inspected = found.takeBuffer(records());
      return validateHere(inspected == null ? buffer() : inspected, metrics);
    } finally {
      found.endAppend();
    }
  }

  private R validateHere(ByteBuffer buffer, MetricsRecorder metrics) {
    Worker worker = DropIn.workers().acquire();
    try {
      if (source != Codec.NONE || target != Codec.NONE) {
        return validateCompressed(worker, buffer, metrics);
      }
      return allHaveTargetMagic(worker, buffer, metrics)
          ? assignInPlace(worker, buffer, metrics)
          : rebuild(worker, buffer, metrics, time.milliseconds());
    } finally {
      DropIn.workers().release(worker);
    }
  }

  /**
   * Does what {@code assignOffsetsNonCompressed} does.
   *
   * @param metrics is told of faults
   * @return the result
   */
  protected final R assignNonCompressed(MetricsRecorder metrics) {
    Worker worker = DropIn.workers().acquire();
    try {
      return assignInPlace(worker, buffer(), metrics);
    } finally {
      DropIn.workers().release(worker);
    }
  }

  /**
   * Does what {@code validateMessagesAndAssignOffsetsCompressed} does.
   *
   * @param metrics is told of faults
   * @return the result
   */
  protected final R validateCompressed(MetricsRecorder metrics) {
    Worker worker = DropIn.workers().acquire();
    try {
      return validateCompressed(worker, buffer(), metrics);
    } finally {
      DropIn.workers().release(worker);
    }
  }

  /** Stops at the first other magic: what lies behind it is not looked at. */
  private boolean allHaveTargetMagic(Worker worker, ByteBuffer buffer, MetricsRecorder metrics) {
    BatchIterator batches = worker.batches();
    batches.wrap(buffer, buffer.position(), buffer.limit());
    while (batches.next()) {
      if (batches.magic() != policy.target().magic()) {
        return false;
      }
    }
    refuseBadFraming(worker, buffer, metrics);
    return true;
  }

  private R assignInPlace(Worker worker, ByteBuffer buffer, MetricsRecorder metrics) {
    long now = time.milliseconds();
    BatchIterator batches = worker.batches();
    byte firstMagic = requireFirst(worker, buffer, Codec.NONE, metrics);
    int start = buffer.position();
    int end = buffer.limit();
    boolean succeeds =
        firstMagic == BatchLayout.MAGIC_V2 || isSound(worker, buffer, firstMagic, now);
    long maxTimestamp = NO_TIMESTAMP;
    batches.wrap(buffer, start, end);
    while (batches.next()) {
      if (batches.magic() != firstMagic) {
        worker.refuse(Reason.REBUILD_MAGIC_MISMATCH, batches.magic(), firstMagic);
        throw refusal(worker.verdict(), buffer, metrics);
      }
      select(buffer, batches);
      if (isCompressed(buffer, firstMagic)) {
        checkMislabelled(worker, buffer, metrics, now);
      } else if (!inspect(worker, buffer, source, now)) {
        countRecordsLookedAt(worker.verdict());
        throw refusal(worker.verdict(), buffer, metrics);
      }
      nextOffset(worker.stamp(buffer, nextOffset(), partitionLeaderEpoch, now));
      if (succeeds) {
        DropIn.listener().judged(worker.verdict(), partition);
      }
      maxTimestamp = Math.max(maxTimestamp, worker.verdict().maxTimestamp());
      buffer.limit(end);
    }
    refuseBadFraming(worker, buffer, metrics);
    if (!succeeds) { // what the first look refused has passed since, such as a lack of memory
      DropIn.listener().judged(worker.verdict(), partition);
    }
    if (isLogAppendTime()) {
      maxTimestamp = policy.target().magic() == LegacyLayout.MAGIC_V0 ? NO_TIMESTAMP : now;
    }
    return result(now, null, maxTimestamp, 0, 0, 0);
  }

  /**
   * {@return true if an append will not be refused after its first batch is stamped} Only then are
   * its batches counted as accepted, one by one. Kafka stamps while it checks, so several messages
   * of magic 0 or 1 are inspected twice; a single batch, as any other append is, is not.
   */
  private boolean isSound(Worker worker, ByteBuffer buffer, byte magic, long now) {
    BatchIterator batches = worker.batches();
    int start = buffer.position();
    int end = buffer.limit();
    int count = 0;
    batches.wrap(buffer, start, end);
    while (batches.next()) {
      if (batches.magic() != magic) {
        return false;
      }
      count++;
    }
    if (isBad(batches.failure())) {
      return false;
    }
    batches.wrap(buffer, start, end);
    boolean sound = true;
    while (count > 1 && sound && batches.next()) {
      select(buffer, batches);
      sound =
          isCompressed(buffer, magic)
              ? worker.check(buffer, policy, now)
              : worker.inspect(buffer, policy, source, now);
      buffer.limit(end);
    }
    buffer.position(start);
    return sound;
  }

  /** {@return true if the batch is accepted, now or before the lock was taken} */
  private boolean inspect(Worker worker, ByteBuffer batch, Codec sourceCodec, long now) {
    Ahead found = OffLock.current();
    if (found != null && found.stands(records(), batch, policy, source, now)) {
      worker.adopt(found.verdict());
      return true;
    }
    return worker.inspect(batch, policy, sourceCodec, now);
  }

  /**
   * A compressed batch that the caller calls uncompressed. Kafka reads all of a batch of magic 2
   * before it checks the first record; of what is in a message it counts those that were checked.
   */
  private void checkMislabelled(
      Worker worker, ByteBuffer buffer, MetricsRecorder metrics, long now) {
    if (worker.check(buffer, policy, now)) {
      return;
    }
    MutableVerdict verdict = worker.verdict();
    if (verdict.decidedByRecords()) {
      nextOffset(nextOffset() + verdict.recordCount());
    } else if (verdict.magic() != BatchLayout.MAGIC_V2
        && FOUND_IN_TURN.contains(verdict.reason())) {
      nextOffset(nextOffset() + verdict.recordIndex());
    }
    throw refusal(verdict, buffer, metrics);
  }

  private static boolean isCompressed(ByteBuffer batch, byte magic) {
    int at = BatchLayout.codecOffset(magic);
    return at < batch.remaining()
        && (batch.get(batch.position() + at) & BatchLayout.CODEC_MASK) != Codec.NONE.id();
  }

  /** Without compression Kafka counts while it checks, records that fail included. */
  private void countRecordsLookedAt(Verdict verdict) {
    int looked =
        verdict.decidedByRecords() ? verdict.recordCount() : Refusals.checkedRecords(verdict);
    nextOffset(nextOffset() + looked);
  }

  private R validateCompressed(Worker worker, ByteBuffer buffer, MetricsRecorder metrics) {
    beforeCompressed();
    long now = time.milliseconds();
    BatchIterator batches = worker.batches();
    byte magic = requireFirst(worker, buffer, source, metrics);
    batches.wrap(buffer, buffer.position(), buffer.limit());
    batches.next();
    boolean control = source == Codec.NONE && isControl(buffer, batches, magic);
    if (control && source != target) {
      return validateControl(worker, buffer, metrics, now);
    }
    if (source != target
        || InPlaceRules.beforeRecords(policy.target(), taken(), magic, control) != null) {
      return rebuild(worker, buffer, metrics, now);
    }
    select(buffer, batches);
    if (!inspect(worker, buffer, taken(), now)) {
      throw refusal(worker.verdict(), buffer, true, metrics);
    }
    return worker.verdict().needsRebuild()
        ? rebuild(worker, buffer, metrics, now)
        : stampCompressed(worker, buffer, now);
  }

  /**
   * Returns the codec by which offsets are judged. Kafka's method for compressed records wants the
   * offsets 0, 1, 2, ... even if it is called for records that are not compressed.
   */
  private Codec taken() {
    return source == Codec.NONE ? Codec.GZIP : source;
  }

  /** A control batch stays in place and uncompressed, whatever codec the topic stores. */
  private R validateControl(Worker worker, ByteBuffer buffer, MetricsRecorder metrics, long now) {
    select(buffer, worker.batches());
    Policy storing = worker.storing(policy, targetCompression(), target);
    if (!worker.inspect(buffer, storing, source, now)) {
      throw refusal(worker.verdict(), buffer, true, metrics);
    }
    return worker.verdict().needsRebuild()
        ? rebuild(worker, buffer, metrics, now)
        : stampCompressed(worker, buffer, now);
  }

  private R stampCompressed(Worker worker, ByteBuffer buffer, long now) {
    Verdict verdict = worker.verdict();
    nextOffset(worker.stamp(buffer, nextOffset(), partitionLeaderEpoch, now));
    DropIn.listener().judged(verdict, partition);
    return result(
        now, null, isLogAppendTime() ? now : verdict.maxTimestamp(), temporaryBytes(verdict), 0, 0);
  }

  /** Writes the records anew. */
  private R rebuild(Worker worker, ByteBuffer buffer, MetricsRecorder metrics, long now) {
    long started = time.nanoseconds();
    long first = nextOffset();
    Policy storing = worker.storing(policy, targetCompression(), target);
    if (!worker.rebuild(buffer, storing, source, first, now)) {
      throw rebuildRefusal(worker, buffer, first, metrics);
    }
    MutableVerdict found = lookStrictly(worker, buffer, storing, now);
    if (policy.level() == Level.STRICT && !found.accepted()) {
      throw refusal(found, buffer, metrics);
    }
    ByteBuffer batch = worker.rebuiltBatch();
    if (batch == null) {
      throw rebuildRefusal(worker, buffer, first, metrics);
    }
    RebuildEngine rebuilt = worker.rebuilt();
    DropIn.listener().judged(found, partition);
    nextOffset(worker.stamp(batch, first, partitionLeaderEpoch, now));
    return result(
        now,
        batch,
        rebuilt.maxTimestamp(),
        rebuilt.temporaryMemoryBytes(worker.verdict()),
        rebuilt.recordCount(),
        time.nanoseconds() - started);
  }

  /** A builder of Kafka's that stumbles keeps the offsets it took. */
  private RuntimeException rebuildRefusal(
      Worker worker, ByteBuffer buffer, long first, MetricsRecorder metrics) {
    nextOffset(first + worker.rebuilt().offsetsTaken());
    return refusal(worker.verdict(), buffer, metrics);
  }

  /**
   * Returns the verdict that stands of a batch that was written anew. Observed, one that a second
   * look does not accept has no findings. Of messages that are no batches of magic 2 there may be
   * several: they are left alone.
   */
  private MutableVerdict lookStrictly(Worker worker, ByteBuffer buffer, Policy storing, long now) {
    MutableVerdict rebuilt = worker.verdict();
    if (!policy.looksStrictly() || rebuilt.magic() != BatchLayout.MAGIC_V2) {
      return rebuilt;
    }
    MutableVerdict strict = worker.lookStrictly(buffer, storing, source, now);
    strict.rebuild(Objects.requireNonNull(rebuilt.rebuildCause()));
    return strict.accepted() || policy.level() == Level.STRICT ? strict : rebuilt;
  }

  /** Tells of a batch that is refused, and says what to throw. */
  private RuntimeException refusal(
      MutableVerdict verdict, ByteBuffer batch, MetricsRecorder metrics) {
    return refusal(verdict, batch, false, metrics);
  }

  private RuntimeException refusal(
      MutableVerdict verdict, ByteBuffer batch, boolean skipsFields, MetricsRecorder metrics) {
    DropIn.listener().judged(verdict, partition);
    ClientText text = new ClientText(verdict, partition, policy, batch, skipsFields);
    return Refusals.of(verdict, text, metrics);
  }

  /** {@return the magic of the first batch} Leaves the iterator anywhere. */
  private byte requireFirst(
      Worker worker, ByteBuffer buffer, Codec codec, MetricsRecorder metrics) {
    BatchIterator batches = worker.batches();
    batches.wrap(buffer, buffer.position(), buffer.limit());
    if (!batches.next()) {
      refuseBadFraming(worker, buffer, metrics);
      long needed = Math.max(BatchLayout.PREFIX_BYTES, batches.fault().first());
      worker.refuse(Reason.FRAMING_INCOMPLETE, needed, batches.left());
      throw refusal(worker.verdict(), buffer, metrics);
    }
    byte magic = batches.magic();
    if (magic == BatchLayout.MAGIC_V2 || codec != Codec.NONE) {
      if (batches.next()) {
        worker.refuse(Reason.BATCH_NOT_ALONE, batches.start() - buffer.position(), 0);
        throw refusal(worker.verdict(), buffer, metrics);
      }
      refuseBadFraming(worker, buffer, metrics);
    }
    return magic;
  }

  /** {@return false for a batch that the buffer ends in: it is the end, and no fault} */
  private static boolean isBad(@Nullable Reason framing) {
    return framing != null && framing != Reason.FRAMING_INCOMPLETE;
  }

  private void refuseBadFraming(Worker worker, ByteBuffer buffer, MetricsRecorder metrics) {
    BatchIterator batches = worker.batches();
    Reason why = batches.failure();
    if (why != null && isBad(why)) {
      worker.refuse(why, batches.fault().first(), batches.left());
      throw refusal(worker.verdict(), buffer, metrics);
    }
  }

  private static void select(ByteBuffer buffer, BatchIterator batches) {
    buffer.limit(batches.start() + batches.sizeInBytes()).position(batches.start());
  }

  /** {@return true if the batch is a control batch; one without a whole header is refused later} */
  private static boolean isControl(ByteBuffer buffer, BatchIterator batches, byte magic) {
    return magic == BatchLayout.MAGIC_V2
        && batches.sizeInBytes() >= BatchLayout.HEADER_BYTES
        && (buffer.get(batches.start() + BatchLayout.ATTRIBUTES_OFFSET + 1)
                & BatchLayout.CONTROL_MASK)
            != 0;
  }

  private boolean isLogAppendTime() {
    return policy.target().timestampType() == TimestampType.LOG_APPEND_TIME;
  }

  /** An int in Kafka, which wraps. */
  private int temporaryBytes(Verdict verdict) {
    int around = BatchLayout.headerBytes(policy.target().magic(), verdict.codec() != Codec.NONE);
    return (int) (around + verdict.declaredBytes());
  }

  private static Codec codec(int id) {
    Codec codec = Codec.byId(id);
    if (codec == null) {
      throw new InvalidRecordException("Unknown codec id " + id);
    }
    return codec;
  }
}
