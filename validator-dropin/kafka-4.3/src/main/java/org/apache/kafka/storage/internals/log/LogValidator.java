// SPDX-License-Identifier: Apache-2.0

package org.apache.kafka.storage.internals.log;

import io.github.batchvalidator.dropin.DropIn;
import io.github.batchvalidator.dropin.KafkaLine;
import io.github.batchvalidator.dropin.Shadow;
import io.github.batchvalidator.dropin.Validation;
import io.github.batchvalidator.dropin.kafka43.Kafka43LogValidator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.common.utils.Time;

/**
 * Takes the place of Kafka's class of this name, in Kafka 4.3: a thin shell over {@link
 * Kafka43LogValidator}.
 *
 * <p>Its jar has to lie before those of Kafka on the class path.
 */
public class LogValidator {
  static {
    KafkaLine.require("4.3", LogValidator.class);
  }

  private final Validation<ValidationResult, LongRef, BufferSupplier> validation;

  /**
   * Creates one that bounds a record as this Kafka does by default: if it has the limit of 4.2.2
   * and 4.4 by what an array can hold, else, as 4.3.1, not at all.
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
        Kafka43LogValidator.DEFAULT_RECORD_BYTES);
  }

  /**
   * Creates one for one append; Kafka has this since 4.2.2 and 4.4, and not in 4.3.1.
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
   * @param maxRecordBodySize largest body of a record of a compressed batch, in bytes
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
      AppendOrigin origin,
      int maxRecordBodySize) {
    Shadow shadow = DropIn.shadow();
    validation =
        shadow == null
            ? new Kafka43LogValidator(
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
                maxRecordBodySize)
            : shadow.over(
                Kafka43LogValidator.class,
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
                maxRecordBodySize);
  }

  /**
   * Checks the records and gives them their offsets, in place if possible.
   *
   * @param offsetCounter offset of the next record, before and after
   * @param metricsRecorder is told of faults
   * @param bufferSupplier is not used
   * @return the result
   */
  public ValidationResult validateMessagesAndAssignOffsets(
      LongRef offsetCounter, MetricsRecorder metricsRecorder, BufferSupplier bufferSupplier) {
    return validation.validateMessagesAndAssignOffsets(
        offsetCounter, metricsRecorder, bufferSupplier);
  }

  /**
   * Does so for records that are not compressed and stay so.
   *
   * @param offsetCounter offset of the next record, before and after
   * @param metricsRecorder is told of faults
   * @return the result
   */
  public ValidationResult assignOffsetsNonCompressed(
      LongRef offsetCounter, MetricsRecorder metricsRecorder) {
    return validation.assignOffsetsNonCompressed(offsetCounter, metricsRecorder);
  }

  /**
   * Does so for records that are compressed or are to be.
   *
   * @param offsetCounter offset of the next record, before and after
   * @param metricsRecorder is told of faults
   * @param bufferSupplier is not used
   * @return the result
   */
  public ValidationResult validateMessagesAndAssignOffsetsCompressed(
      LongRef offsetCounter, MetricsRecorder metricsRecorder, BufferSupplier bufferSupplier) {
    return validation.validateMessagesAndAssignOffsetsCompressed(
        offsetCounter, metricsRecorder, bufferSupplier);
  }

  /** What a broker counts of refused records. */
  public interface MetricsRecorder {
    /** A batch or record has another magic than its neighbours. */
    void recordInvalidMagic();

    /** Offsets and counts of a batch do not fit each other, or a client sent a control batch. */
    void recordInvalidOffset();

    /** There is a producer id and no sequence. */
    void recordInvalidSequence();

    /** The checksum of a record is wrong. */
    void recordInvalidChecksums();

    /** A compacted topic got a record without a key. */
    void recordNoKeyCompactedTopic();
  }

  /**
   * What became of the records.
   *
   * @param logAppendTimeMs the time of the append
   * @param validatedRecords what is to be stored
   * @param maxTimestampMs the largest timestamp of the records, -1 if there is none
   * @param messageSizeMaybeChanged true if the records were written anew
   * @param recordValidationStats what that took
   */
  public record ValidationResult(
      long logAppendTimeMs,
      MemoryRecords validatedRecords,
      long maxTimestampMs,
      boolean messageSizeMaybeChanged,
      RecordValidationStats recordValidationStats) {}
}
