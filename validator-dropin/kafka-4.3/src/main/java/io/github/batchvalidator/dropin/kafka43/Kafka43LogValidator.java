// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.kafka43;

import io.github.batchvalidator.dropin.DropIn;
import io.github.batchvalidator.dropin.append.AppendOutcome;
import io.github.batchvalidator.dropin.append.AppendRuntime;
import io.github.batchvalidator.dropin.append.AppendValidation;
import io.github.batchvalidator.dropin.append.LineValidator;
import io.github.batchvalidator.dropin.policies.Policies;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.apache.kafka.storage.internals.log.RecordValidationStats;
import org.jspecify.annotations.Nullable;

/**
 * The validator of one append for Kafka 4.3. Does the work of {@code LogValidator} under another
 * name, so that both classes can be loaded.
 *
 * <p>One instance per append, confined to one thread.
 */
public final class Kafka43LogValidator extends AppendValidation<ValidationResult>
    implements LineValidator<ValidationResult, LongRef, BufferSupplier> {
  static {
    DropIn.announce("4.3");
  }

  /** The default limit of a record in bytes; 0 for none, as in 4.3.1. */
  public static final int DEFAULT_RECORD_BYTES = readersBoundRecords() ? Integer.MAX_VALUE - 8 : 0;

  private final MemoryRecords records;
  private final Compression targetCompression;
  private @Nullable LongRef offsetCounter;

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
   * @param maxRecordBodySize the largest record body in a compressed batch, in bytes
   */
  public Kafka43LogValidator(
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
      int maxRecordBodySize) {
    super(
        topicPartition,
        time,
        policies(topicPartition, maxRecordBodySize)
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
  }

  private static Policies policies(TopicPartition topicPartition, int maxRecordBodySize) {
    return DEFAULT_RECORD_BYTES == 0
        ? DropIn.runtime().policies(topicPartition)
        : DropIn.runtime().policies(topicPartition).withRecordBytes(maxRecordBodySize);
  }

  private static boolean readersBoundRecords() {
    try {
      RecordBatch.class.getMethod("streamingIterator", BufferSupplier.class, int.class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  @Override
  public ValidationResult validateMessagesAndAssignOffsets(
      LongRef counter, MetricsRecorder metricsRecorder, BufferSupplier bufferSupplier) {
    offsetCounter = counter;
    return validate(metricsRecorder);
  }

  @Override
  public ValidationResult assignOffsetsNonCompressed(
      LongRef counter, MetricsRecorder metricsRecorder) {
    offsetCounter = counter;
    return assignNonCompressed(metricsRecorder);
  }

  @Override
  public ValidationResult validateMessagesAndAssignOffsetsCompressed(
      LongRef counter, MetricsRecorder metricsRecorder, BufferSupplier bufferSupplier) {
    offsetCounter = counter;
    return validateCompressed(metricsRecorder);
  }

  @Override
  protected AppendRuntime runtime() {
    return DropIn.runtime();
  }

  @Override
  protected Object records() {
    return records;
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
  protected long nextOffset() {
    return counter().value;
  }

  @Override
  protected void nextOffset(long offset) {
    counter().value = offset;
  }

  private LongRef counter() {
    return Objects.requireNonNull(offsetCounter);
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
