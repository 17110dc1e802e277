// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.line;

import io.github.batchvalidator.dropin.DropIn;
import io.github.batchvalidator.dropin.append.AppendOutcome;
import io.github.batchvalidator.dropin.append.AppendValidation;
import io.github.batchvalidator.dropin.append.LineValidator;
import io.github.batchvalidator.dropin.refusal.Metric;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.__statsPackage__.RecordValidationStats;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.__recordsPackage__.CompressionType;
import org.apache.kafka.common.__recordsPackage__.MemoryRecords;
import org.apache.kafka.common.__utilsPackage__.BufferSupplier;
import org.apache.kafka.common.__utilsPackage__.PrimitiveRef.LongRef;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.jspecify.annotations.Nullable;

/**
 * The validator of one append for Kafka __kafka.served__. Does the work of {@code LogValidator}
 * under another name, so that both classes can be loaded.
 *
 * <p>One instance per append, confined to one thread.
 */
public final class LineAppend extends AppendValidation<ValidationResult>
    implements LineValidator<ValidationResult, LongRef, MetricsRecorder, BufferSupplier> {
  static {
    DropIn.announce("__kafka.line__");
  }

  private final MemoryRecords records;
  private final Compression targetCompression;
  private final boolean clusterReadsTarget;
  private @Nullable LongRef offsetCounter;
  private @Nullable MetricsRecorder metrics;

  /**
   * Stores the parameters of the append.
   *
   * @param records the records to append
   * @param topicPartition the partition, named in error messages
   * @param time the broker's clock
   * @param sourceCompressionType the codec of the records, as the caller found it
   * @param targetCompression the codec and level that the topic stores
   * @param compactedTopic true if every record needs a key
   * @param toMagic the magic that the topic stores
   * @param timestampType the timestamp type that the topic stores
   * @param timestampBeforeMaxMs the largest age of a timestamp
   * @param timestampAfterMaxMs the largest distance of a timestamp into the future
   * @param partitionLeaderEpoch the leader epoch to write into the batches
   * @param origin the origin of the records
   * @param last the __lastMeaning__
   */
  public LineAppend(
      MemoryRecords records,
      TopicPartition topicPartition,
      Time time,
      CompressionType sourceCompressionType,
      Compression targetCompression,
      boolean compactedTopic,
      byte toMagic,
      TimestampType timestampType,
      long timestampBeforeMaxMs,
      long timestampAfterMaxMs,
      int partitionLeaderEpoch,
      AppendOrigin origin,
      __lastType__ last) {
    super(
        topicPartition,
        time,
        __lastClass__
            .apply(last, DropIn.runtime().policies(topicPartition))
            .of(
                origin,
                timestampType,
                timestampBeforeMaxMs,
                timestampAfterMaxMs,
                compactedTopic,
                toMagic),
        sourceCompressionType.id,
        targetCompression.type().id,
        partitionLeaderEpoch);
    this.records = records;
    this.targetCompression = targetCompression;
    clusterReadsTarget = __lastClass__.clusterReads(targetCompression, last);
  }

  @Override
  public ValidationResult validateMessagesAndAssignOffsets(
      LongRef counter, MetricsRecorder recorder, BufferSupplier unused) {
    offsetCounter = counter;
    metrics = recorder;
    return validate(DropIn.runtime(), records);
  }

  @Override
  public ValidationResult assignOffsetsNonCompressed(LongRef counter, MetricsRecorder recorder) {
    offsetCounter = counter;
    metrics = recorder;
    return assignNonCompressed(DropIn.runtime(), records);
  }

  @Override
  public ValidationResult validateMessagesAndAssignOffsetsCompressed(
      LongRef counter, MetricsRecorder recorder, BufferSupplier unused) {
    offsetCounter = counter;
    metrics = recorder;
    return validateCompressed(DropIn.runtime(), records);
  }

  @Override
  protected ByteBuffer buffer() {
    return records.buffer();
  }

  @Override
  protected Compression targetCompression() {
    return targetCompression;
  }

  @Override
  protected boolean clusterReadsTarget() {
    return clusterReadsTarget;
  }

  @Override
  protected long nextOffset() {
    return Objects.requireNonNull(offsetCounter).value;
  }

  @Override
  protected void nextOffset(long offset) {
    Objects.requireNonNull(offsetCounter).value = offset;
  }

  // Not a switch: its table would be another class, which the first refusal would initialize.
  @Override
  public void mark(Metric metric) {
    MetricsRecorder recorder = Objects.requireNonNull(metrics);
    if (metric == Metric.MAGIC) {
      recorder.recordInvalidMagic();
    } else if (metric == Metric.OFFSET) {
      recorder.recordInvalidOffset();
    } else if (metric == Metric.SEQUENCE) {
      recorder.recordInvalidSequence();
    } else if (metric == Metric.CHECKSUM) {
      recorder.recordInvalidChecksums();
    } else if (metric == Metric.NO_KEY) {
      recorder.recordNoKeyCompactedTopic();
    }
  }

  @Override
  protected ValidationResult result(AppendOutcome outcome) {
    ByteBuffer rebuilt = outcome.rebuilt();
    return new ValidationResult(
        outcome.appendTimeMs(),
        rebuilt == null ? records : MemoryRecords.readableRecords(rebuilt),
        outcome.maxTimestamp(),
        rebuilt != null,
        outcome.temporaryBytes() == 0
            ? RecordValidationStats.EMPTY
            : new RecordValidationStats(
                outcome.temporaryBytes(), outcome.convertedRecords(), outcome.conversionNanos()));
  }
}
