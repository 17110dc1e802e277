// SPDX-License-Identifier: Apache-2.0

package org.apache.kafka.storage.internals.log;

import io.github.batchvalidator.dropin.DropIn;
import io.github.batchvalidator.dropin.KafkaLine;
import io.github.batchvalidator.dropin.StartCheck;
import io.github.batchvalidator.dropin.append.LineValidator;
import io.github.batchvalidator.dropin.kafka41.Kafka41LogValidator;
import io.github.batchvalidator.dropin.shadow.Shadow;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.RecordValidationStats;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;

/**
 * The replacement for Kafka's class of this name in Kafka 4.0 and 4.1. Delegates to {@link
 * Kafka41LogValidator}.
 *
 * <p>The jar must come before Kafka's jars on the class path.
 */
public class LogValidator {
  static {
    KafkaLine.require("4.1", LogValidator.class);
  }

  private final LineValidator<ValidationResult, LongRef, BufferSupplier> validator;

  /**
   * Creates a validator for one append.
   *
   * @param records the records to append
   * @param topicPartition the partition
   * @param time the clock
   * @param sourceCompressionType the codec of the records
   * @param targetCompression the codec that the topic stores
   * @param compactedTopic true to require keys
   * @param toMagic the magic that the topic stores
   * @param timestampType the timestamp type that the topic stores
   * @param timestampBeforeMaxMs the largest age of a timestamp
   * @param timestampAfterMaxMs the largest distance into the future
   * @param partitionLeaderEpoch the leader epoch
   * @param origin the origin of the records
   */
  public LogValidator(
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
      AppendOrigin origin) {
    Shadow shadow = DropIn.shadow();
    validator =
        shadow == null
            ? new Kafka41LogValidator(
                records,
                topicPartition,
                time,
                sourceCompressionType,
                targetCompression,
                compactedTopic,
                toMagic,
                timestampType,
                timestampBeforeMaxMs,
                timestampAfterMaxMs,
                partitionLeaderEpoch,
                origin)
            : shadow.validator(
                Kafka41LogValidator.class,
                records,
                topicPartition,
                time,
                sourceCompressionType,
                targetCompression,
                compactedTopic,
                toMagic,
                timestampType,
                timestampBeforeMaxMs,
                timestampAfterMaxMs,
                partitionLeaderEpoch,
                origin);
  }

  /**
   * Validates the records and assigns their offsets, in place if possible.
   *
   * @param offsetCounter the offset of the next record, updated
   * @param metricsRecorder the meters for faults
   * @param bufferSupplier not used
   * @return the result
   */
  public ValidationResult validateMessagesAndAssignOffsets(
      LongRef offsetCounter, MetricsRecorder metricsRecorder, BufferSupplier bufferSupplier) {
    return validator.validateMessagesAndAssignOffsets(
        offsetCounter, metricsRecorder, bufferSupplier);
  }

  /**
   * Validates records that are uncompressed and stay so, and assigns their offsets.
   *
   * @param offsetCounter the offset of the next record, updated
   * @param metricsRecorder the meters for faults
   * @return the result
   */
  public ValidationResult assignOffsetsNonCompressed(
      LongRef offsetCounter, MetricsRecorder metricsRecorder) {
    return validator.assignOffsetsNonCompressed(offsetCounter, metricsRecorder);
  }

  /**
   * Validates records that are or will be compressed, and assigns their offsets.
   *
   * @param offsetCounter the offset of the next record, updated
   * @param metricsRecorder the meters for faults
   * @param bufferSupplier not used
   * @return the result
   */
  public ValidationResult validateMessagesAndAssignOffsetsCompressed(
      LongRef offsetCounter, MetricsRecorder metricsRecorder, BufferSupplier bufferSupplier) {
    return validator.validateMessagesAndAssignOffsetsCompressed(
        offsetCounter, metricsRecorder, bufferSupplier);
  }

  /** The broker's meters for refused records. The broker loads it before it serves. */
  public interface MetricsRecorder extends StartCheck {
    /** Marks a batch or record with an unexpected magic. */
    void recordInvalidMagic();

    /** Marks offsets that do not match the record count, or a client's control batch. */
    void recordInvalidOffset();

    /** Marks a batch that has a producer id but no sequence number. */
    void recordInvalidSequence();

    /** Marks a record with a wrong checksum. */
    void recordInvalidChecksums();

    /** Marks a record without a key for a compacted topic. */
    void recordNoKeyCompactedTopic();
  }

  /** The result of an append. */
  public static class ValidationResult {
    /** The time of the append. */
    public final long logAppendTimeMs;

    /** The records to store. */
    public final MemoryRecords validatedRecords;

    /** The largest timestamp of the records, or -1. */
    public final long maxTimestampMs;

    /** True if the records were rebuilt. */
    public final boolean messageSizeMaybeChanged;

    /** The cost of the rebuild. */
    public final RecordValidationStats recordValidationStats;

    /**
     * Creates a result.
     *
     * @param logAppendTimeMs the time of the append
     * @param validatedRecords the records to store
     * @param maxTimestampMs the largest timestamp of the records, or -1
     * @param messageSizeMaybeChanged true if the records were rebuilt
     * @param recordValidationStats the cost of the rebuild
     */
    public ValidationResult(
        long logAppendTimeMs,
        MemoryRecords validatedRecords,
        long maxTimestampMs,
        boolean messageSizeMaybeChanged,
        RecordValidationStats recordValidationStats) {
      this.logAppendTimeMs = logAppendTimeMs;
      this.validatedRecords = validatedRecords;
      this.maxTimestampMs = maxTimestampMs;
      this.messageSizeMaybeChanged = messageSizeMaybeChanged;
      this.recordValidationStats = recordValidationStats;
    }
  }
}
