// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.refusal;

import io.github.batchvalidator.rule.Reason;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The phrases in which Kafka words its refusals. A phrase is an array of words and of {@linkplain
 * Fact facts}, written as a template with the names of facts in braces.
 */
final class KafkaPhrases {
  /** The facts that a template can contain. */
  enum Fact {
    FIRST,
    SECOND,
    PARTITION,
    BASE_OFFSET,
    LAST_OFFSET,
    OFFSET,
    EARLIEST,
    LATEST,
    RECORD
  }

  static final Object[] PREMATURE_EOF =
      words("Incorrect declared batch size, premature EOF reached");
  static final Object[] STRUCTURE = words("Found invalid record structure");
  static final Object[] STREAM_UNREADABLE = words("Failed to decompress record stream");
  static final Object[] STREAM_END_UNREADABLE =
      words("Error checking for remaining bytes after reading batch");
  static final Object[] SIZE_NEGATIVE = words("Invalid record size: {first} is negative.");
  static final Object[] SIZE_ABOVE_LIMIT =
      words("Invalid record size: {first} exceeds the configured maximum record size of {second}.");
  static final Object[] SIZE_ABOVE_BUFFER =
      words(
          "Invalid record size: expected {first} bytes in record payload, but instead the buffer has only {second} remaining bytes.");
  static final Object[] SIZE_ABOVE_STREAM =
      words(
          "Invalid record size: expected {first} bytes in record payload, but the record payload reached EOF.");
  static final Object[] SIZE_NOT_READ =
      words(
          "Invalid record size: expected to read {first} bytes in record payload, but instead read {second}");
  static final Object[] FIELD_ABOVE_STREAM =
      words("Reached end of input stream before skipping all bytes. Remaining bytes:{second}");
  static final Object[] HEADERS_NEGATIVE = words("Found invalid number of record headers {first}");
  static final Object[] HEADERS_ABOVE_BUFFER =
      words(
          "Found invalid number of record headers. {first} is larger than the remaining size of the buffer");
  static final Object[] WRAPPER_CODEC =
      words("Invalid wrapper compressionType found in legacy deep record iterator {second}");

  /** The templates of reasons that have only one. */
  private static final Map<Reason, Object[]> BY_REASON = byReason();

  private KafkaPhrases() {}

  /** {@return the only phrase for a reason, or null if Kafka has none or several} */
  static Object @Nullable [] of(Reason reason) {
    return BY_REASON.get(reason);
  }

  private static Map<Reason, Object[]> byReason() {
    Map<Reason, Object[]> texts = new EnumMap<>(Reason.class);
    put(texts, Reason.FRAMING_INCOMPLETE, "Record batch has no batches at all");
    put(
        texts,
        Reason.FRAMING_LENGTH_TOO_SMALL,
        "Record size {first} is less than the minimum record overhead (14)");
    put(texts, Reason.FRAMING_MAGIC_UNKNOWN, "Invalid magic found in record: {first}");
    put(texts, Reason.BATCH_NOT_ALONE, "Compressed outer record has more than one batch");
    put(
        texts,
        Reason.BATCH_OFFSET_RANGE_INVALID,
        "Batch has an invalid offset range: [{base offset}, {last offset}] in topic partition {partition}");
    put(
        texts,
        Reason.BATCH_COUNT_NOT_POSITIVE,
        "Invalid reported count for record batch: {first} in topic partition {partition}");
    put(
        texts,
        Reason.BATCH_COUNT_MISMATCH,
        "Inconsistent batch offset range [{base offset}, {last offset}] and count of records {first} in topic partition {partition}");
    put(
        texts,
        Reason.BATCH_CONTROL_NOT_ALLOWED,
        "Clients are not allowed to write control records in topic partition {partition}");
    put(
        texts,
        Reason.BATCH_SEQUENCE_INVALID,
        "Invalid sequence number {first} in record batch with producerId {second} in topic partition {partition}");
    put(
        texts,
        Reason.BATCH_TRANSACTIONAL_UNSUPPORTED,
        "Transactional records cannot be used with magic version {first}");
    put(
        texts,
        Reason.BATCH_IDEMPOTENT_UNSUPPORTED,
        "Idempotent records cannot be used with magic version {first}");
    putRecords(texts);
    putLegacy(texts);
    return texts;
  }

  private static void putRecords(Map<Reason, Object[]> texts) {
    put(
        texts,
        Reason.PAYLOAD_COUNT_NEGATIVE,
        "Found invalid record count {first} in magic v2 batch");
    texts.put(Reason.PAYLOAD_RECORDS_MISSING, PREMATURE_EOF);
    put(
        texts,
        Reason.PAYLOAD_BYTES_LEFT,
        "Incorrect declared batch size, records still remaining in file");
    put(texts, Reason.RECORD_HEADER_KEY_INVALID, "Invalid negative header key size {first}");
    put(
        texts,
        Reason.RECORD_KEY_MISSING,
        "Compacted topic cannot accept message without key in topic partition {partition}");
    put(
        texts,
        Reason.RECORD_TIMESTAMP_OUT_OF_RANGE,
        "Timestamp {first} of message with offset {offset} is out of range. The timestamp should be within [{earliest}, {latest}]");
    put(
        texts,
        Reason.RECORD_TIMESTAMP_TYPE_INVALID,
        "Invalid timestamp type in message {record}. Producer should not set timestamp type to LogAppendTime.");
  }

  private static void putLegacy(Map<Reason, Object[]> texts) {
    put(
        texts,
        Reason.REBUILD_MAGIC_MISMATCH,
        "Batch magic {first} is not the same as the first batch's magic byte {second} in topic partition {partition}");
    put(
        texts,
        Reason.BATCH_VALUE_MISSING,
        "Found invalid compressed record set with null value (magic = {first})");
    put(texts, Reason.PAYLOAD_EMPTY, "Found invalid compressed record set with no inner records");
    put(
        texts,
        Reason.PAYLOAD_OFFSET_BEYOND_BATCH,
        "Found invalid wrapper offset in compressed v1 message set, wrapper offset '{second}' is less than the last inner message offset '{first}' and it is not zero.");
    put(
        texts,
        Reason.RECORD_SIZE_TOO_SMALL,
        "Record size is less than the minimum record overhead (14)");
    put(texts, Reason.RECORD_COMPRESSED, "Inner messages must not be compressed");
    put(
        texts,
        Reason.RECORD_CRC_MISMATCH,
        "Record is corrupt (stored crc = {first}, computed crc = {second})");
    put(
        texts,
        Reason.RECORD_MAGIC_MISMATCH,
        "Record {record}'s magic does not match outer magic {second} in topic partition {partition}");
  }

  private static void put(Map<Reason, Object[]> texts, Reason reason, String template) {
    texts.put(reason, words(template));
  }

  /** {@return the pieces of a template: words, and facts for the names in braces} */
  private static Object[] words(String template) {
    String[] pieces = template.split("[{}]", -1);
    Object[] words = Arrays.copyOf(pieces, pieces.length, Object[].class);
    for (int i = 1; i < words.length; i += 2) {
      words[i] = Fact.valueOf(pieces[i].toUpperCase(Locale.ROOT).replace(' ', '_'));
    }
    return words;
  }
}
