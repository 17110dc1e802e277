// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.internal.format.BatchHeader;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.RecordLayout;
import io.github.batchvalidator.internal.verdict.FailedRecords;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.requests.ProduceResponse.RecordError;
import org.jspecify.annotations.Nullable;

/**
 * The texts of one refusal, as clients and the broker's log get them. Client code and alerts match
 * on the phrases of Kafka, so a refusal that Kafka words itself has Kafka's phrase and facts here.
 * All of these phrases are in the tables of this class. The text of any other refusal is the
 * sentence of its {@link Reason}.
 *
 * <p>Created for a refusal; used by one thread.
 */
final class ClientText {
  /** The message of an {@code InvalidTimestampException}. */
  static final String INVALID_TIMESTAMP =
      "One or more records have been rejected due to invalid timestamp";

  /** The message of the 3.9 line for zstd while the cluster speaks a version before 2.1. */
  static final String ZSTD_TOO_NEW =
      "Produce requests to inter.broker.protocol.version < 2.1 broker are not allowed to use"
          + " ZStandard compression";

  /** The number of failing records that the message about them shows. */
  private static final int SHOWN_RECORDS = 3;

  /** The facts that a text may have between its words. */
  private enum Fact {
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

  private static final Object[] PREMATURE_EOF =
      words("Incorrect declared batch size, premature EOF reached");
  private static final Object[] STRUCTURE = words("Found invalid record structure");
  private static final Object[] STREAM_UNREADABLE = words("Failed to decompress record stream");
  private static final Object[] STREAM_END_UNREADABLE =
      words("Error checking for remaining bytes after reading batch");
  private static final Object[] SIZE_NEGATIVE = words("Invalid record size: {first} is negative.");
  private static final Object[] SIZE_ABOVE_LIMIT =
      words("Invalid record size: {first} exceeds the configured maximum record size of {second}.");
  private static final Object[] SIZE_ABOVE_BUFFER =
      words(
          "Invalid record size: expected {first} bytes in record payload, but instead the buffer has only {second} remaining bytes.");
  private static final Object[] SIZE_ABOVE_STREAM =
      words(
          "Invalid record size: expected {first} bytes in record payload, but the record payload reached EOF.");
  private static final Object[] SIZE_NOT_READ =
      words(
          "Invalid record size: expected to read {first} bytes in record payload, but instead read {second}");
  private static final Object[] FIELD_ABOVE_STREAM =
      words("Reached end of input stream before skipping all bytes. Remaining bytes:{second}");
  private static final Object[] HEADERS_NEGATIVE =
      words("Found invalid number of record headers {first}");
  private static final Object[] HEADERS_ABOVE_BUFFER =
      words(
          "Found invalid number of record headers. {first} is larger than the remaining size of the buffer");
  private static final Object[] WRAPPER_CODEC =
      words("Invalid wrapper compressionType found in legacy deep record iterator {second}");

  /** The texts of reasons that have only one. */
  private static final Map<Reason, Object[]> TEXTS = texts();

  private final MutableVerdict verdict;
  private final String partition;
  private final Policy policy;
  private final ByteBuffer batch;
  private final boolean skipping;
  private final StringBuilder text = new StringBuilder();

  /**
   * Starts on the texts of a refusal.
   *
   * @param verdict that refuses
   * @param partition of the append
   * @param policy of the append
   * @param batch starts with the batch, if it is of magic 2
   * @param skipsFields true if Kafka skips the fields of compressed records, which it does where a
   *     batch stays as it is; false if it reads them
   */
  ClientText(
      MutableVerdict verdict,
      TopicPartition partition,
      Policy policy,
      ByteBuffer batch,
      boolean skipsFields) {
    this.verdict = verdict;
    this.partition = partition.toString(); // once, not for each record
    this.policy = policy;
    this.batch = batch;
    skipping = skipsFields && verdict.codec() != Codec.NONE;
  }

  private static Map<Reason, Object[]> texts() {
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

  /** {@return the pieces of a template: words, and facts where it has their names in braces} */
  private static Object[] words(String template) {
    String[] pieces = template.split("[{}]", -1);
    Object[] words = Arrays.copyOf(pieces, pieces.length, Object[].class);
    for (int i = 1; i < words.length; i += 2) {
      words[i] = Fact.valueOf(pieces[i].toUpperCase(Locale.ROOT).replace(' ', '_'));
    }
    return words;
  }

  /** Makes a text, so that tables and classes exist before memory can run out. */
  static void prepare() {
    MutableVerdict refused = new MutableVerdict(0);
    refused.refuse(Reason.RECORD_KEY_MISSING, 0, 0, 0);
    TopicPartition none = new TopicPartition("", 0);
    new ClientText(refused, none, Policy.CLIENT, ByteBuffer.allocate(0), false).ofBatch();
  }

  /** {@return the text of a refusal that is not for single records} */
  String ofBatch() {
    Reason why = Objects.requireNonNull(verdict.reason());
    Object[] words = words(why);
    if (words == null) {
      return "Batch for " + partition + " is refused: " + verdict.describe();
    }
    text.setLength(0);
    for (Object word : words) {
      append(word, verdict.firstOperand(), verdict.secondOperand(), 0);
    }
    return text.toString();
  }

  /** {@return the text of a refusal for single records, at least one} */
  String ofRecords(List<RecordError> errors) {
    return "One or more records have been rejected due to "
        + verdict.failureTotal()
        + " record errors in total, and only showing the first three errors at most: "
        + errors.subList(0, Math.min(SHOWN_RECORDS, errors.size()));
  }

  /** {@return each failing record that is remembered; equal neighbors share their text} */
  List<RecordError> recordErrors() {
    FailedRecords failed = verdict.failures();
    List<RecordError> errors = new ArrayList<>(failed.count());
    String last = "";
    for (int i = 0; i < failed.count(); i++) {
      text.setLength(0);
      appendRecord(failed, i);
      if (!last.contentEquals(text)) {
        last = text.toString();
      }
      errors.add(new RecordError(failed.index(i), last));
    }
    return errors;
  }

  private void appendRecord(FailedRecords failed, int i) {
    Object[] words = TEXTS.get(failed.reason(i));
    if (words == null) {
      failed.reason(i).describe(failed.first(i), failed.second(i), text);
      return;
    }
    for (Object word : words) {
      append(word, failed.first(i), failed.second(i), i);
    }
  }

  private void append(Object word, long first, long second, int failure) {
    if (!(word instanceof Fact fact)) {
      text.append((String) word);
      return;
    }
    switch (fact) {
      case FIRST -> text.append(first);
      case SECOND -> text.append(second);
      case PARTITION -> text.append(partition);
      case BASE_OFFSET -> text.append(header().baseOffset());
      case LAST_OFFSET -> text.append(header().lastOffset());
      case OFFSET -> text.append(verdict.failures().offset(failure));
      case EARLIEST -> text.append(second - policy.timestampBeforeMaxMs());
      case LATEST -> text.append(second + policy.timestampAfterMaxMs());
      case RECORD -> appendRecordItself(failure);
    }
  }

  private BatchHeader header() {
    return new BatchHeader().read(batch, batch.position());
  }

  /** Kafka also names attributes, checksum, timestamp and sizes of a message of magic 0 or 1. */
  private void appendRecordItself(int failure) {
    FailedRecords failed = verdict.failures();
    long offset = failed.offset(failure);
    long first = failed.first(failure);
    if (verdict.magic() != BatchLayout.MAGIC_V2) {
      boolean byMagic = failed.reason(failure) == Reason.RECORD_MAGIC_MISMATCH;
      text.append("LegacyRecordBatch(offset=").append(offset);
      text.append(", Record(magic=").append(byMagic ? first : verdict.magic()).append("))");
      return;
    }
    text.append(skipping ? "PartialDefaultRecord" : "DefaultRecord");
    text.append("(offset=").append(offset).append(", timestamp=").append(first);
    text.append(", key=").append(size(failed.keySize(failure)));
    text.append(" bytes, value=").append(size(failed.valueSize(failure))).append(" bytes)");
  }

  /** A record that is read in full has no bytes where the size is negative. */
  private int size(int declared) {
    return skipping ? declared : Math.max(declared, 0);
  }

  /** {@return the words of Kafka for a refusal, or null where it has none} */
  private Object @Nullable [] words(Reason why) {
    long first = verdict.firstOperand();
    boolean compressed = verdict.codec() != Codec.NONE;
    return switch (why) {
      case CODEC_DATA_CORRUPT, CODEC_DATA_TRUNCATED, CODEC_CHECKSUM_MISMATCH -> ofStream();
      case RECORD_VARINT_TOO_LONG ->
          first > RecordLayout.MAX_VARINT_BYTES ? STRUCTURE : compressed ? PREMATURE_EOF : null;
      case RECORD_TRUNCATED -> ofCutRecord(compressed);
      case RECORD_LENGTH_INVALID ->
          first >= 0 ? SIZE_ABOVE_BUFFER : boundsRecords() ? SIZE_NEGATIVE : PREMATURE_EOF;
      case RECORD_LENGTH_MISMATCH ->
          compressed && verdict.secondOperand() > first ? STRUCTURE : SIZE_NOT_READ;
      case RECORD_HEADER_COUNT_INVALID -> first < 0 ? HEADERS_NEGATIVE : HEADERS_ABOVE_BUFFER;
      case LIMIT_RECORD_BYTES ->
          first < 0 ? SIZE_NEGATIVE : isBroken(verdict.secondOperand()) ? SIZE_ABOVE_LIMIT : null;
      case BATCH_CODEC_UNSUPPORTED -> verdict.codec() == null ? WRAPPER_CODEC : null;
      default -> TEXTS.get(why);
    };
  }

  /** Of magic 0 and 1 Kafka passes on the text of the codec's library. */
  private Object @Nullable [] ofStream() {
    if (verdict.magic() != BatchLayout.MAGIC_V2) {
      return null;
    }
    return verdict.atEnd() ? STREAM_END_UNREADABLE : STREAM_UNREADABLE;
  }

  private Object[] ofCutRecord(boolean compressed) {
    if (compressed && !skipping) {
      return SIZE_ABOVE_STREAM;
    }
    return skipping && verdict.secondOperand() > 0 ? FIELD_ABOVE_STREAM : STRUCTURE;
  }

  private boolean boundsRecords() {
    return policy.limits().recordBytes() != Limits.UNLIMITED;
  }

  /** {@return true if that is the bound on what a record declares, not on the memory it takes} */
  private boolean isBroken(long limit) {
    return limit == policy.limits().recordBytes() || limit == Limits.LARGEST_RECORD_BYTES;
  }
}
