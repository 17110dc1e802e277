// SPDX-License-Identifier: Apache-2.0

package org.apache.kafka.storage.internals.log;

import io.github.batchvalidator.dropin.DropIn;
import io.github.batchvalidator.dropin.KafkaLine;
import io.github.batchvalidator.dropin.StartCheck;
import io.github.batchvalidator.dropin.append.LineValidator;
import io.github.batchvalidator.dropin.line.LineAppend;
import io.github.batchvalidator.dropin.line.__lastClass__;
import io.github.batchvalidator.dropin.shadow.Shadow;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.__recordsPackage__.CompressionType;
import org.apache.kafka.common.__recordsPackage__.MemoryRecords;
import org.apache.kafka.common.__utilsPackage__.BufferSupplier;
import org.apache.kafka.common.__utilsPackage__.PrimitiveRef.LongRef;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Time;

/**
 * The replacement for Kafka's class of this name in Kafka __kafka.served__. Delegates to {@link
 * LineAppend}.
 *
 * <p>The jar must come before Kafka's jars on the class path.
 */
public class LogValidator {
  static {
    KafkaLine.require("__kafka.line__", LogValidator.class);
  }

  private final LineValidator<ValidationResult, LongRef, MetricsRecorder, BufferSupplier> validator;

  /**
   * Creates a validator for one append, with the default of the last parameter. Public in lines
   * whose stock class has this constructor.
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
  // [publicWithoutLast] public
  LogValidator(
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
    this(
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
        origin,
        __lastClass__.DEFAULT);
  }

  /**
   * Creates a validator for one append. Public in lines with a version whose stock class has this
   * constructor.
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
   * @param last the __lastMeaning__
   */
  // [publicWithLast] public
  LogValidator(
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
    Shadow shadow = DropIn.shadow();
    validator =
        shadow == null
            ? new LineAppend(
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
                origin,
                last)
            : shadow.validator(
                LineAppend.class,
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
                origin,
                last);
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

  // [recordResult] /**
  // [recordResult]  * The result of an append.
  // [recordResult]  *
  // [recordResult]  * @param logAppendTimeMs the time of the append
  // [recordResult]  * @param validatedRecords the records to store
  // [recordResult]  * @param maxTimestampMs the largest timestamp of the records, or -1
  // [recordResult]  * @param messageSizeMaybeChanged true if the records were rebuilt
  // [recordResult]  * @param recordValidationStats the cost of the rebuild
  // [recordResult]  */
  // [recordResult] public record ValidationResult(
  // [recordResult]     long logAppendTimeMs,
  // [recordResult]     MemoryRecords validatedRecords,
  // [recordResult]     long maxTimestampMs,
  // [recordResult]     boolean messageSizeMaybeChanged,
  // [recordResult]     org.apache.kafka.__statsPackage__.RecordValidationStats
  // [recordResult]         recordValidationStats) {}

  // [classResult] /** The result of an append. */
  // [classResult] public static class ValidationResult {
  // [classResult]   /** The time of the append. */
  // [classResult]   public final long logAppendTimeMs;
  // [classResult]   /** The records to store. */
  // [classResult]   public final MemoryRecords validatedRecords;
  // [classResult]   /** The largest timestamp of the records, or -1. */
  // [classResult]   public final long maxTimestampMs;
  // [classResult]   /** True if the records were rebuilt. */
  // [classResult]   public final boolean messageSizeMaybeChanged;
  // [classResult]   /** The cost of the rebuild. */
  // [classResult]   public final org.apache.kafka.__statsPackage__.RecordValidationStats
  // [classResult]       recordValidationStats;
  // [classResult]   /**
  // [classResult]    * Creates a result.
  // [classResult]    *
  // [classResult]    * @param logAppendTimeMs the time of the append
  // [classResult]    * @param validatedRecords the records to store
  // [classResult]    * @param maxTimestampMs the largest timestamp of the records, or -1
  // [classResult]    * @param messageSizeMaybeChanged true if the records were rebuilt
  // [classResult]    * @param recordValidationStats the cost of the rebuild
  // [classResult]    */
  // [classResult]   public ValidationResult(
  // [classResult]       long logAppendTimeMs,
  // [classResult]       MemoryRecords validatedRecords,
  // [classResult]       long maxTimestampMs,
  // [classResult]       boolean messageSizeMaybeChanged,
  // [classResult]       org.apache.kafka.__statsPackage__.RecordValidationStats
  // [classResult]           recordValidationStats) {
  // [classResult]     this.logAppendTimeMs = logAppendTimeMs;
  // [classResult]     this.validatedRecords = validatedRecords;
  // [classResult]     this.maxTimestampMs = maxTimestampMs;
  // [classResult]     this.messageSizeMaybeChanged = messageSizeMaybeChanged;
  // [classResult]     this.recordValidationStats = recordValidationStats;
  // [classResult]   }
  // [classResult] }
}
