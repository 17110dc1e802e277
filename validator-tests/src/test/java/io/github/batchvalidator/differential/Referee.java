// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.differential.KafkaOracle.KafkaAnswer;
import io.github.batchvalidator.differential.KafkaOracle.Metric;
import io.github.batchvalidator.differential.KafkaOracle.Place;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Reason.Answer;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts the same batch to Kafka and to this library and compares all there is to compare. Every
 * failure names the batch as Base64, which {@link #judge} takes again.
 */
final class Referee implements AutoCloseable {
  static final Place PLACE = new Place(4_000_000_123L, 77, Batches.nowMs());

  private static final byte[] GUARDS = {0, (byte) 0xFF};

  /** More failing records than any batch of these tests has. */
  private static final int ALL_FAILURES = 2048;

  final KafkaOracle kafka = new KafkaOracle();
  private final BatchValidator fastest = new BatchValidator();
  private final BatchValidator lowMemory = BatchValidator.lowMemory();
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final MutableVerdict verdict = new MutableVerdict(ALL_FAILURES);
  private final MutableVerdict other = new MutableVerdict(0);

  /** Returns the known difference between the answers, or null if they agree in everything. */
  @Nullable KnownDifference judge(byte[] batch, Policy policy) {
    try {
      return compare(batch, policy);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          e.getMessage() + "\n  " + describe(policy) + "\n  batch " + Batches.base64(batch), e);
    }
  }

  /** As {@link #judge}, where no difference at all is known. */
  void agree(byte[] batch, Policy policy) {
    KnownDifference difference = judge(batch, policy);
    if (difference != null) {
      throw new AssertionError(
          difference + "\n  " + describe(policy) + "\n  batch " + Batches.base64(batch));
    }
  }

  /** Returns our verdict on the bytes, the same for every kind of buffer and window. */
  Verdict inspect(byte[] batch, Policy policy) {
    inspectUntouched(fastest, BufferKind.HEAP.holding(batch, GUARDS[0]), policy, verdict);
    for (byte guard : GUARDS) {
      for (BufferKind kind : BufferKind.values()) {
        BatchValidator validator = kind == BufferKind.DIRECT ? lowMemory : fastest;
        inspectUntouched(validator, kind.holding(batch, guard), policy, other);
        require(
            isSameVerdict(batch),
            kind + " buffer, guard " + guard + ": " + other + " instead of " + verdict);
      }
    }
    return verdict;
  }

  private boolean isSameVerdict(byte[] batch) {
    boolean isSame =
        verdict.reason() == other.reason() && verdict.needsRebuild() == other.needsRebuild();
    return verdict.batchBytes() == other.batchBytes() && (isSame || mayDiffer(batch));
  }

  /** Smaller windows read more records before a fault further on in the stream. */
  private boolean mayDiffer(byte[] batch) {
    return !verdict.accepted()
        && !other.accepted()
        && isCompressed(verdict)
        && !kafka.isStreamSound(batch);
  }

  private static void inspectUntouched(
      BatchValidator validator, ByteBuffer buffer, Policy policy, Verdict into) {
    byte[] before = everything(buffer);
    int position = buffer.position();
    int limit = buffer.limit();
    boolean accepted = validator.inspect(buffer, policy, PLACE.nowMs(), into);
    require(accepted == into.accepted(), "the return value is not the verdict");
    require(
        buffer.position() == position
            && buffer.limit() == limit
            && Arrays.equals(before, everything(buffer)),
        "the buffer was touched");
  }

  private static byte[] everything(ByteBuffer buffer) {
    ByteBuffer all = buffer.duplicate().clear();
    byte[] bytes = new byte[all.remaining()];
    all.get(bytes);
    return bytes;
  }

  private @Nullable KnownDifference compare(byte[] batch, Policy policy) {
    Verdict ours = inspect(batch, policy);
    KafkaAnswer theirs = kafka.ask(batch, policy, PLACE);
    if (theirs.crashed()) {
      KnownDifference known = crash(batch, ours, theirs);
      require(
          known != null || ours.needsRebuild() || isConverted(ours, policy),
          "Kafka failed with " + theirs.thrown() + ", ours: " + ours);
      return known;
    }
    if (ours.accepted() && theirs.accepted()) {
      return compareAccepted(batch, ours, theirs, policy);
    }
    if (ours.accepted() && ours.needsRebuild() && !theirs.accepted()) {
      requireRebuildRefuses(batch, policy, theirs);
      return null;
    }
    require(
        !ours.accepted() && !theirs.accepted(), "ours: " + ours + "; Kafka's: " + theirs.thrown());
    return compareRefused(batch, ours, theirs, policy);
  }

  /** Requires Kafka's answer from a rebuild, which also reads the messages after the first one. */
  private void requireRebuildRefuses(byte[] batch, Policy policy, KafkaAnswer theirs) {
    Policy storing = Batches.storing(policy, Objects.requireNonNull(verdict.codec()));
    boolean accepted =
        rebuilder
            .firstOffset(PLACE.firstOffset())
            .rebuild(ByteBuffer.wrap(batch), storing, PLACE.nowMs(), other);
    Reason why = other.reason();
    require(
        !accepted && why != null && why.answer() == theirs.answer(),
        "rebuilt: " + other + "; Kafka's: " + theirs.thrown());
  }

  /** Then it is the rebuild that may have to find out what Kafka fails on. */
  private static boolean isConverted(Verdict ours, Policy policy) {
    return ours.batchBytes() > 0 && ours.magic() != policy.target().magic();
  }

  private @Nullable KnownDifference compareAccepted(
      byte[] batch, Verdict ours, KafkaAnswer theirs, Policy policy) {
    ByteBuffer buffer = BufferKind.SLICED.holding(batch, (byte) 0);
    if (ours.needsRebuild()) {
      require(theirs.rebuilt(), "Kafka left the batch as it is");
      return null;
    }
    ByteBuffer inspected = buffer.slice(buffer.position(), ours.batchBytes());
    long next =
        new OffsetStamp()
            .firstOffset(PLACE.firstOffset())
            .leaderEpoch(PLACE.leaderEpoch())
            .nowMs(PLACE.nowMs())
            .assign(inspected, ours);
    boolean logAppendTime = policy.target().timestampType() == TimestampType.LOG_APPEND_TIME;
    boolean none = ours.magic() == LegacyLayout.MAGIC_V0;
    long max = logAppendTime && !none ? PLACE.nowMs() : ours.maxTimestamp();
    require(next == theirs.nextOffset(), "next offset: " + next + "; " + theirs.nextOffset());
    require(max == theirs.maxTimestamp(), "max timestamp: " + max + "; " + theirs.maxTimestamp());
    require(!theirs.rebuilt(), "Kafka wrote a new batch");
    long temporary = isCompressed(ours) ? (int) (headerBytes(ours) + ours.declaredBytes()) : 0;
    require(
        temporary == theirs.temporaryBytes(),
        "temporary bytes: " + temporary + "; Kafka's: " + theirs.temporaryBytes());
    if (buffer.equals(theirs.bytes())) {
      return null;
    }
    boolean wrong = crcIsWrong(batch, ours.batchBytes());
    require(
        policy.checkedByHost() && wrong && differOnlyInCrc(buffer, theirs.bytes()),
        "stamped bytes differ: "
            + Batches.base64(Batches.copy(buffer).array())
            + "; Kafka's: "
            + Batches.base64(Batches.copy(theirs.bytes()).array()));
    return KnownDifference.WRONG_CHECKSUM_KEPT;
  }

  private static int headerBytes(Verdict ours) {
    return switch (ours.magic()) {
      case LegacyLayout.MAGIC_V0 -> LegacyLayout.KEY_SIZE_OFFSET_V0 + 2 * Integer.BYTES;
      case LegacyLayout.MAGIC_V1 -> LegacyLayout.KEY_SIZE_OFFSET_V1 + 2 * Integer.BYTES;
      default -> BatchLayout.HEADER_BYTES;
    };
  }

  private static boolean crcIsWrong(byte[] batch, int size) {
    ByteBuffer copy = ByteBuffer.wrap(Arrays.copyOf(batch, size));
    return !Batches.fixCrc(Batches.copy(copy)).equals(copy);
  }

  private static boolean differOnlyInCrc(ByteBuffer a, ByteBuffer b) {
    int at = Batches.crcOffset(a);
    return Batches.copy(a).putInt(at, 0).equals(Batches.copy(b).putInt(at, 0));
  }

  private @Nullable KnownDifference compareRefused(
      byte[] batch, Verdict ours, KafkaAnswer theirs, Policy policy) {
    Answer answer = Objects.requireNonNull(ours.reason()).answer();
    if (isConverted(ours, policy) && !isCompressed(ours)) {
      return null; // Kafka parses the records first; it is the rebuild that has to do the same
    }
    if (answer == theirs.answer()) {
      List<Integer> failing = failingRecords(ours);
      require(
          failing.equals(theirs.failingRecords()),
          "failing records: " + failing + "; Kafka's: " + theirs.failingRecords());
      compareMetrics(batch, ours, theirs, policy);
      return null;
    }
    if (isSecondBatch(batch)) {
      return KnownDifference.SECOND_BATCH_AND_OTHER_FAULT;
    }
    require(
        isDecodeOrRecord(answer) && isDecodeOrRecord(theirs.answer()) && isCompressed(ours),
        "answers: " + ours + " " + answer + "; " + theirs.thrown());
    require(!kafka.isStreamSound(batch), "only one fault: " + ours + "; " + theirs.thrown());
    return KnownDifference.STREAM_AND_RECORD_AT_FAULT;
  }

  /** Where two faults meet, or two batches, what was counted before may differ with the order. */
  private void compareMetrics(byte[] batch, Verdict ours, KafkaAnswer theirs, Policy policy) {
    boolean comparable =
        ours.batchBytes() > 0 && !isConverted(ours, policy) && !isSecondBatch(batch);
    if (comparable && (!isCompressed(ours) || kafka.isStreamSound(batch))) {
      List<Metric> counted = metrics(ours);
      require(
          counted.equals(theirs.metrics()),
          "metrics: " + counted + "; Kafka's: " + theirs.metrics() + "; ours: " + ours);
    }
  }

  /** Returns the broker's counts for a verdict: each failing record, then the decisive reason. */
  private static List<Metric> metrics(Verdict ours) {
    List<Metric> counted = new ArrayList<>();
    for (int i = 0; i < ours.failureCount(); i++) {
      add(counted, ours.failureReason(i));
    }
    if (!ours.decidedByRecords()) {
      add(counted, Objects.requireNonNull(ours.reason()));
    }
    return counted;
  }

  private static void add(List<Metric> counted, Reason reason) {
    Metric metric = metric(reason);
    if (metric != null) {
      counted.add(metric);
    }
  }

  /** Returns which metric of Kafka's a record or batch refused for that counts in, if any. */
  static @Nullable Metric metric(Reason reason) {
    return switch (reason) {
      case REBUILD_MAGIC_MISMATCH, RECORD_MAGIC_MISMATCH -> Metric.MAGIC;
      case BATCH_OFFSET_RANGE_INVALID,
          BATCH_COUNT_NOT_POSITIVE,
          BATCH_COUNT_MISMATCH,
          BATCH_CONTROL_NOT_ALLOWED ->
          Metric.OFFSET;
      case BATCH_SEQUENCE_INVALID -> Metric.SEQUENCE;
      case RECORD_CRC_MISMATCH -> Metric.CHECKSUM;
      case RECORD_KEY_MISSING -> Metric.NO_KEY;
      default -> null;
    };
  }

  private static boolean isDecodeOrRecord(@Nullable Answer answer) {
    return answer == Answer.DECODE_FAILURE || answer == Answer.INVALID_RECORD;
  }

  private static boolean isCompressed(Verdict ours) {
    return ours.codec() != null && ours.codec() != Codec.NONE;
  }

  private static boolean isSecondBatch(byte[] batch) {
    int size = ByteBuffer.wrap(batch).getInt(BatchLayout.LENGTH_OFFSET) + BatchLayout.LOG_OVERHEAD;
    return size >= 0 && batch.length - size >= BatchLayout.LOG_OVERHEAD;
  }

  private static List<Integer> failingRecords(Verdict ours) {
    require(ours.failureTotal() == ours.failureCount(), "more failures than any batch has records");
    List<Integer> failing = new ArrayList<>();
    for (int i = 0; ours.decidedByRecords() && i < ours.failureCount(); i++) {
      failing.add(ours.failureIndex(i));
    }
    return failing;
  }

  /**
   * Returns the known difference for an unexpected exception of Kafka, or null. Our verdict must be
   * a refusal, unless Kafka ran out of memory.
   */
  private static @Nullable KnownDifference crash(byte[] batch, Verdict ours, KafkaAnswer theirs) {
    if (theirs.thrown() instanceof OutOfMemoryError && ours.magic() < BatchLayout.MAGIC_V2) {
      return KnownDifference.LEGACY_SIZE_DECLARED;
    }
    Reason why = ours.reason();
    if (why == null) {
      return null;
    }
    if (ours.batchBytes() > 0 && ours.codec() == null && isCodecUnknown(batch)) {
      return KnownDifference.CODEC_ID_UNKNOWN;
    }
    return switch (why) {
      case BATCH_FIELD_BEYOND_END, RECORD_FIELD_BEYOND_END ->
          KnownDifference.LEGACY_FIELD_BEYOND_END;
      case RECORD_COMPRESSED -> KnownDifference.CODEC_ID_UNKNOWN;
      case RECORD_VARINT_TOO_LONG -> KnownDifference.PLAIN_LENGTH_ENDLESS;
      case FRAMING_LENGTH_OVERFLOW -> KnownDifference.LENGTH_NEAR_OVERFLOW;
      case BATCH_HEADER_INCOMPLETE -> KnownDifference.HEADER_CUT;
      case RECORD_OFFSET_UNEXPECTED -> KnownDifference.OFFSETS_NOT_SEQUENTIAL;
      case CODEC_HEADER_INVALID, CODEC_DATA_CORRUPT, CODEC_DATA_TRUNCATED, CODEC_CHECKSUM_MISSING ->
          KnownDifference.CODEC_FAILURE_UNWRAPPED;
      default -> hasText(ours) ? KnownDifference.LEGACY_RECORD_WITHOUT_TEXT : null;
    };
  }

  /** Whether a message failed whose error says all about it. */
  private static boolean hasText(Verdict ours) {
    boolean found = false;
    for (int i = 0; i < ours.failureCount(); i++) {
      Reason why = ours.failureReason(i);
      found |= why == Reason.RECORD_MAGIC_MISMATCH || why == Reason.RECORD_TIMESTAMP_TYPE_INVALID;
    }
    return found && ours.magic() < BatchLayout.MAGIC_V2;
  }

  private static boolean isCodecUnknown(byte[] batch) {
    boolean legacy = batch[BatchLayout.MAGIC_OFFSET] < BatchLayout.MAGIC_V2;
    int at = legacy ? LegacyLayout.ATTRIBUTES_OFFSET : BatchLayout.ATTRIBUTES_OFFSET + 1;
    int codec = batch[at] & BatchLayout.CODEC_MASK;
    return Codec.byId(codec) == null;
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  static String describe(Policy policy) {
    return "policy %s %s -%d +%d max %d compacted %b checkedByHost %b magic %d"
        .formatted(
            policy.origin(),
            policy.target().timestampType(),
            policy.timestampBeforeMaxMs(),
            policy.timestampAfterMaxMs(),
            policy.maxBatchBytes(),
            policy.compactedTopic(),
            policy.checkedByHost(),
            policy.target().magic());
  }

  @Override
  public void close() {
    fastest.close();
    rebuilder.close();
    lowMemory.close();
  }
}
