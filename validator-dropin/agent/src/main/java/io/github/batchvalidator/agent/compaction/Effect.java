// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Reason;
import java.util.Map;
import java.util.TreeMap;

/**
 * The effect that a fault of a stored batch has on compaction. Only faults that stock Kafka would
 * hide, drop records for, or fail on stop a partition: a partition that is compacted today must not
 * stop because of this guard.
 */
enum Effect {
  /** Kafka's cleaner would write a valid CRC over the damage, drop records, or fail. */
  STOPS,
  /** Whether Kafka's cleaner can read the batch depends on the codec and the heap: it is tried. */
  TRIED,
  /** Kafka's cleaner reads the records as every consumer does, and keeps what they contain. */
  COUNTED,
  /** Not checked in stored batches. */
  NEVER;

  /**
   * {@return the effect of a reason}
   *
   * @param reason a reason
   * @throws IllegalArgumentException if it was forgotten here; a test tries all reasons
   */
  static Effect of(Reason reason) {
    return switch (reason) {
      // Kafka's cleaner cannot find the next batch and fails.
      case FRAMING_INCOMPLETE,
          FRAMING_LENGTH_TOO_SMALL,
          FRAMING_LENGTH_OVERFLOW,
          FRAMING_MAGIC_UNKNOWN,
          BATCH_HEADER_INCOMPLETE ->
          STOPS;
      // Kafka's cleaner ignores stored checksums, and computes new ones when it drops a record.
      case BATCH_CRC_MISMATCH, RECORD_CRC_MISMATCH, CODEC_CONTENT_CHECKSUM_WRONG -> STOPS;
      // Kafka's cleaner fails when it writes such offsets, or it keeps an old record in the place
      // of a newer one, because it compares offsets.
      case BATCH_OFFSET_RANGE_INVALID, RECORD_OFFSET_OUT_OF_ORDER, PAYLOAD_OFFSET_BEYOND_BATCH ->
          STOPS;
      default -> ofRecords(reason);
    };
  }

  private static Effect ofRecords(Reason reason) {
    return switch (reason) {
      // Kafka's cleaner fails when it opens or reads the records.
      case BATCH_CODEC_UNKNOWN,
          BATCH_CODEC_UNSUPPORTED,
          BATCH_FIELD_BEYOND_END,
          BATCH_VALUE_MISSING,
          CODEC_HEADER_INVALID,
          CODEC_DATA_CORRUPT,
          CODEC_DATA_TRUNCATED,
          CODEC_CHECKSUM_MISMATCH,
          CODEC_CHECKSUM_MISSING,
          PAYLOAD_COUNT_NEGATIVE,
          PAYLOAD_RECORDS_MISSING,
          PAYLOAD_EMPTY,
          PAYLOAD_BYTES_LEFT,
          RECORD_TRUNCATED,
          RECORD_VARINT_TOO_LONG,
          RECORD_LENGTH_INVALID,
          RECORD_HEADER_COUNT_INVALID,
          RECORD_HEADER_KEY_INVALID,
          RECORD_LENGTH_MISMATCH,
          RECORD_SIZE_TOO_SMALL,
          RECORD_COMPRESSED ->
          STOPS;
      // Kafka's cleaner fails on the first one, and drops the message of the second one.
      case RECORD_LENGTH_UNTRUE, PAYLOAD_MESSAGE_CUT -> STOPS;
      default -> ofOthers(reason);
    };
  }

  private static Effect ofOthers(Reason reason) {
    return switch (reason) {
      // Libraries read these streams by recursion, or allocate what a stream declares. An error
      // then ends the thread of the cleaner.
      case CODEC_STREAM_AMBIGUOUS, CODEC_UNAVAILABLE, CODEC_OUT_OF_MEMORY, LIMIT_CODEC_MEMORY ->
          TRIED;
      // Kafka's cleaner opens the missing stream, which only zstd allows, and reads the key of each
      // message, which may be beyond its end.
      case PAYLOAD_STREAM_MISSING, RECORD_FIELDS_UNTRUE -> TRIED;
      // The records are the same for every reader. Where Kafka's cleaner fails, other records of
      // the same keys decide whether it does. It then fails with an exception and before it
      // replaces a segment.
      case BATCH_MAX_TIMESTAMP_MISMATCH,
          BATCH_ATTRIBUTES_RESERVED,
          RECORD_MAGIC_MISMATCH,
          PAYLOAD_NOT_EMPTY,
          RECORD_NUMBER_NOT_SHORTEST,
          RECORD_ATTRIBUTES_RESERVED,
          RECORD_NULL_LENGTH_INVALID,
          RECORD_HEADER_KEY_NOT_UTF8,
          RECORD_TIMESTAMP_OVERFLOW,
          RECORD_TIMESTAMP_NEGATIVE,
          CODEC_BYTES_LEFT ->
          COUNTED;
      default -> ofAppends(reason);
    };
  }

  /** {@return the effects of all reasons, by name} */
  static Map<String, Effect> byName() {
    Map<String, Effect> effects = new TreeMap<>();
    for (Reason each : Reason.values()) {
      effects.put(each.name(), of(each));
    }
    return effects;
  }

  /** Limits and rules of topics are not set, and the other reasons concern appends. */
  private static Effect ofAppends(Reason reason) {
    boolean isSet = !reason.isLimit() && !reason.isTopicRule();
    if (isSet && reason.appliesTo(Origin.STORED)) {
      throw new IllegalArgumentException(reason + " has no effect");
    }
    return NEVER;
  }
}
