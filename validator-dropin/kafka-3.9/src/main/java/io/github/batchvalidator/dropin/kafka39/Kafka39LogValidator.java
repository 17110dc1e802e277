// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.kafka39;

import io.github.batchvalidator.dropin.AppendValidation;
import io.github.batchvalidator.dropin.DropIn;
import io.github.batchvalidator.dropin.Validation;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.RecordValidationStats;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator.MetricsRecorder;
import org.apache.kafka.storage.internals.log.LogValidator.ValidationResult;
import org.jspecify.annotations.Nullable;

/**
 * One append for Kafka 3.9: what {@code LogValidator} does there, under a name of its own, so that
 * it can be loaded beside Kafka's.
 *
 * <p>One instance per append, used by one thread.
 */
public final class Kafka39LogValidator extends AppendValidation<ValidationResult>
    implements Validation<ValidationResult, LongRef, BufferSupplier> {
  static {
    DropIn.announce("3.9");
  }

  private final MemoryRecords records;
  private final Compression targetCompression;
  private final MetadataVersion interBrokerProtocolVersion;
  private @Nullable LongRef offsetCounter;

  /**
   * Notes what the append is told.
   *
   * @param records to be appended
   * @param topicPartition where to, for texts
   * @param time is asked once
   * @param sourceCompressionType what the caller takes for the codec of the records
   * @param targetCompression what the log stores
   * @param compactedTopic true if every record needs a key
   * @param toMagic what the log stores
   * @param timestampType what the log stores
   * @param timestampBeforeMaxMs how far a timestamp may lie before now
   * @param timestampAfterMaxMs how far it may lie after now
   * @param partitionLeaderEpoch is written into the batch
   * @param origin where the records come from
   * @param interBrokerProtocolVersion older than 2.1 refuses zstd
   */
  public Kafka39LogValidator(
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
      MetadataVersion interBrokerProtocolVersion) {
    super(
        topicPartition,
        time,
        DropIn.policies()
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
    this.interBrokerProtocolVersion = interBrokerProtocolVersion;
  }

  /**
   * Checks the records and gives them their offsets, in place if possible.
   *
   * @param counter offset of the next record, before and after
   * @param metricsRecorder is told of faults
   * @param bufferSupplier is not used
   * @return the result
   */
  @Override
  public ValidationResult validateMessagesAndAssignOffsets(
      LongRef counter, MetricsRecorder metricsRecorder, BufferSupplier bufferSupplier) {
    offsetCounter = counter;
    return validate(metricsRecorder);
  }

  /**
   * Does so for records that are not compressed and stay so.
   *
   * @param counter offset of the next record, before and after
   * @param metricsRecorder is told of faults
   * @return the result
   */
  @Override
  public ValidationResult assignOffsetsNonCompressed(
      LongRef counter, MetricsRecorder metricsRecorder) {
    offsetCounter = counter;
    return assignNonCompressed(metricsRecorder);
  }

  /**
   * Does so for records that are compressed or are to be.
   *
   * @param counter offset of the next record, before and after
   * @param metricsRecorder is told of faults
   * @param bufferSupplier is not used
   * @return the result
   */
  @Override
  public ValidationResult validateMessagesAndAssignOffsetsCompressed(
      LongRef counter, MetricsRecorder metricsRecorder, BufferSupplier bufferSupplier) {
    offsetCounter = counter;
    return validateCompressed(metricsRecorder);
  }

  @Override
  protected void beforeCompressed() {
    if (targetCompression.type() == CompressionType.ZSTD
        && interBrokerProtocolVersion.isLessThan(MetadataVersion.IBP_2_1_IV0)) {
      throw zstdTooNew();
    }
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
  protected ValidationResult result(
      long nowMs,
      @Nullable ByteBuffer rebuilt,
      long maxTimestamp,
      long temporaryBytes,
      int converted,
      long conversionNanos) {
    return new ValidationResult(
        nowMs,
        rebuilt == null ? records : MemoryRecords.readableRecords(rebuilt),
        maxTimestamp,
        rebuilt != null,
        temporaryBytes == 0
            ? RecordValidationStats.EMPTY
            : new RecordValidationStats(temporaryBytes, converted, conversionNanos));
  }
}
