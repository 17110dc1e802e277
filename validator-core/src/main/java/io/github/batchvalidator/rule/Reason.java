// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import static io.github.batchvalidator.rule.Level.STRICT;
import static io.github.batchvalidator.rule.Origin.ALL;
import static io.github.batchvalidator.rule.Origin.APPENDED;
import static io.github.batchvalidator.rule.Origin.CLIENT;
import static io.github.batchvalidator.rule.Origin.COORDINATOR;
import static io.github.batchvalidator.rule.Origin.REPLICATION;
import static io.github.batchvalidator.rule.Origin.STORED;
import static io.github.batchvalidator.rule.Origin.only;
import static io.github.batchvalidator.rule.Reason.Answer.CORRUPT_MESSAGE;
import static io.github.batchvalidator.rule.Reason.Answer.DECODE_FAILURE;
import static io.github.batchvalidator.rule.Reason.Answer.INVALID_TIMESTAMP;
import static io.github.batchvalidator.rule.Reason.Answer.MESSAGE_TOO_LARGE;
import static io.github.batchvalidator.rule.Reason.Answer.TRY_AGAIN;
import static io.github.batchvalidator.rule.Reason.Answer.UNSUPPORTED_FORMAT;

/**
 * The reasons to refuse a batch, in the order of the checks. The name of a constant is its stable
 * id in reports, metrics and {@code docs/rules.md}.
 *
 * <p>A constant has the origins that it applies to, the answer of a broker, and a sentence for
 * people. The first word is the part at fault: {@code FRAMING} (the prefix), {@code BATCH} (the
 * header), {@code CODEC} (the compressed stream), {@code RECORD} (one record), {@code PAYLOAD} (the
 * records as a whole). {@code REBUILD} faults concern the new batch only. A {@code LIMIT} is a
 * bound of {@link Limits}. {@code TOPIC} reasons are those of {@link TopicRules}: they count only
 * if Kafka accepts the batch. The reasons of {@link Level#STRICT} come last: they count only if
 * nothing else was found.
 */
public enum Reason {
  /** The buffer ends before the batch does. Kafka's scanner drops such a tail silently. */
  FRAMING_INCOMPLETE("the batch needs at least %d bytes, %d are there", ALL),
  /** The length field is below 14, the size of the smallest record of any magic. */
  FRAMING_LENGTH_TOO_SMALL(CORRUPT_MESSAGE, "the length field says %d, the least is 14", ALL),
  /** The length field is so large that length and prefix overflow an int; Kafka crashes. */
  FRAMING_LENGTH_OVERFLOW(
      CORRUPT_MESSAGE, "the length field says %d, which no buffer can hold", ALL),
  /** The magic byte is not 0, 1 or 2. */
  FRAMING_MAGIC_UNKNOWN(CORRUPT_MESSAGE, "magic is %d, not 0, 1 or 2", ALL),
  /** Clients send magic 2. A broker checks this before it calls {@code LogValidator}. */
  BATCH_MAGIC_UNSUPPORTED("magic is %d, clients send 2", only(CLIENT)),
  /** The batch has magic 2 and is shorter than its header of 61 bytes. */
  BATCH_HEADER_INCOMPLETE(CORRUPT_MESSAGE, "the batch has %d bytes, its header alone has 61", ALL),
  /** Clients send base offset 0. A broker checks this before it calls {@code LogValidator}. */
  BATCH_BASE_OFFSET_NOT_ZERO("base offset is %d, clients send 0", only(CLIENT)),
  /** The batch exceeds {@link Policy#maxBatchBytes()}. A broker checks this earlier. */
  BATCH_TOO_LARGE(
      MESSAGE_TOO_LARGE, "the batch has %d bytes, the topic takes %d", only(CLIENT, COORDINATOR)),
  /** The stored CRC-32C (magic 0 and 1: CRC-32) is wrong. A broker checks this earlier. */
  BATCH_CRC_MISMATCH(CORRUPT_MESSAGE, "the stored CRC is %08x, the bytes have %08x", ALL),
  /** A second batch follows in the same append. */
  BATCH_NOT_ALONE("another batch follows at byte %d", APPENDED),
  /** The last offset is less than the base offset. */
  BATCH_OFFSET_RANGE_INVALID("last offset delta is %d", only(CLIENT, STORED)),
  /** The batch declares no record. */
  BATCH_COUNT_NOT_POSITIVE("record count is %d", only(CLIENT)),
  /** The number of offsets differs from the number of records. */
  BATCH_COUNT_MISMATCH("record count is %d, the offset range holds %d", only(CLIENT)),
  /** Clients may not write control batches. */
  BATCH_CONTROL_NOT_ALLOWED("control batch from a client", only(CLIENT)),
  /** There is a producer id but no sequence. */
  BATCH_SEQUENCE_INVALID("base sequence is %d for producer id %d", only(CLIENT)),
  /** The batch is transactional, and the log stores magic 0 or 1. */
  BATCH_TRANSACTIONAL_UNSUPPORTED(
      UNSUPPORTED_FORMAT, "transactional records cannot be stored with magic %d", APPENDED),
  /** There is a producer id, and the log stores magic 0 or 1. */
  BATCH_IDEMPOTENT_UNSUPPORTED(
      UNSUPPORTED_FORMAT, "idempotent records cannot be stored with magic %d", APPENDED),
  /** Codec ids 5 to 7; Kafka crashes. */
  BATCH_CODEC_UNKNOWN("codec id is %d", ALL),
  /** Magic 0 and 1 have no zstd (KIP-110). */
  BATCH_CODEC_UNSUPPORTED("codec id is %d, which magic %d does not know", ALL),
  /** The key or value of a compressed message of magic 0 or 1 does not fit in it; Kafka crashes. */
  BATCH_FIELD_BEYOND_END(CORRUPT_MESSAGE, "a field of the message ends at byte %d, it has %d", ALL),
  /** A compressed message of magic 0 or 1 has no value. */
  BATCH_VALUE_MISSING("the compressed message of magic %d has no value", ALL),
  /** The library of this codec is not on the class path or cannot be loaded. */
  CODEC_UNAVAILABLE(DECODE_FAILURE, "the library for codec id %d is not available", ALL),
  /**
   * The JVM has no heap, direct or native memory for this codec at the moment. The batch may be
   * sound; the next batch tries again.
   */
  CODEC_OUT_OF_MEMORY(TRY_AGAIN, "there is no memory for codec id %d at the moment", ALL),
  /** The compressed stream has no valid header. */
  CODEC_HEADER_INVALID(DECODE_FAILURE, "the compressed stream does not start as it should", ALL),
  /** The codec refuses the data. */
  CODEC_DATA_CORRUPT(DECODE_FAILURE, "the compressed data is corrupt", ALL),
  /** The compressed stream ends before its own end mark. */
  CODEC_DATA_TRUNCATED(DECODE_FAILURE, "the compressed data ends early", ALL),
  /** A checksum or length inside the compressed stream does not match the data. */
  CODEC_CHECKSUM_MISMATCH(DECODE_FAILURE, "a checksum of the compressed stream is wrong", ALL),
  /**
   * An lz4 stream ends before a checksum. Kafka's reader does not expect that: it crashes, or takes
   * the end of the stream for the end of the record.
   */
  CODEC_CHECKSUM_MISSING(DECODE_FAILURE, "the compressed data ends in front of a checksum", ALL),
  /** The codec needs more memory than {@link Limits#codecMemoryBytes()}. */
  LIMIT_CODEC_MEMORY("the codec asks for %d bytes, the limit is %d", ALL),
  /** The batch decompresses to more than {@link Limits#plainBytes()}. */
  LIMIT_PLAIN_BYTES("the batch has at least %d plain bytes, the limit is %d", ALL),
  /** The batch decompresses to more than {@link Limits#ratio()} allows for its size. */
  LIMIT_RATIO("the batch has at least %d plain bytes, its compressed size allows %d", ALL),
  /** The batch has more records than {@link Limits#records()}. */
  LIMIT_RECORDS("the batch has at least %d records, the limit is %d", ALL),
  /** A record of a compressed batch exceeds {@link Limits#recordBytes()}, or a rebuild's memory. */
  LIMIT_RECORD_BYTES("the record has %d bytes, the limit is %d", ALL),
  /** A record has more headers than {@link Limits#headers()}. */
  LIMIT_HEADERS("the record has %d headers, the limit is %d", ALL),
  /** The headers of a record exceed {@link Limits#headerBytes()}. */
  LIMIT_HEADER_BYTES("the headers of the record have at least %d bytes, the limit is %d", ALL),
  /** The record count is negative. */
  PAYLOAD_COUNT_NEGATIVE("record count is %d", ALL),
  /** The payload ends before the declared number of records. */
  PAYLOAD_RECORDS_MISSING("%d records are declared, the payload ends after %d", ALL),
  /** The payload ends inside a field of a record. */
  RECORD_TRUNCATED(
      "the payload ends inside the record, which declares %d bytes; %d of a field are missing",
      ALL),
  /** A varint has more than 5 bytes or a varlong more than 10. */
  RECORD_VARINT_TOO_LONG("a variable-length number does not end, %d bytes into the record", ALL),
  /**
   * The declared length of an uncompressed record exceeds the remaining bytes. In a compressed
   * batch that is read in full, the length is negative.
   */
  RECORD_LENGTH_INVALID("the record declares %d bytes, at most %d may follow", ALL),
  /**
   * The number of headers is negative. In uncompressed batches and in compressed batches that are
   * read in full, it may also exceed the remaining bytes.
   */
  RECORD_HEADER_COUNT_INVALID("the record declares %d headers, at most %d may follow", ALL),
  /** The key of a header has a negative length. */
  RECORD_HEADER_KEY_INVALID("a header key has length %d", ALL),
  /**
   * The size of the fields differs from the declared size of the record, in an uncompressed batch
   * or in a compressed batch that is read in full.
   */
  RECORD_LENGTH_MISMATCH("the record declares %d bytes, its fields take %d", ALL),
  /** Magic 0 and 1: an inner message declares fewer bytes than the shortest message has. */
  RECORD_SIZE_TOO_SMALL(CORRUPT_MESSAGE, "the message declares %d bytes, the least is 14", ALL),
  /** Magic 0 and 1: the compressed message contains no message. */
  PAYLOAD_EMPTY("the compressed message holds no message", ALL),
  /** Magic 1: the offset of the last inner message exceeds that of the outer message. */
  PAYLOAD_OFFSET_BEYOND_BATCH("the last message has offset %d, the outer one %d", ALL),
  /** Bytes follow the declared number of records. */
  PAYLOAD_BYTES_LEFT("bytes are left after %d records", ALL),
  /** Magic 0 and 1: an inner message is compressed itself. */
  RECORD_COMPRESSED("the inner message has codec id %d", ALL),
  /** Magic 0 and 1: the magic of an inner message differs from that of the outer message. */
  RECORD_MAGIC_MISMATCH("magic is %d, that of the outer message %d", ALL),
  /** Magic 0 and 1: the CRC-32 of an inner message is wrong. */
  RECORD_CRC_MISMATCH(CORRUPT_MESSAGE, "the stored CRC is %08x, the bytes have %08x", ALL),
  /** Magic 0 and 1: a required field does not fit in the message; Kafka crashes. */
  RECORD_FIELD_BEYOND_END(
      CORRUPT_MESSAGE, "a field of the message ends at byte %d, it has %d", APPENDED),
  /** A compacted topic needs a key in every record. */
  RECORD_KEY_MISSING("the record has no key, the topic is compacted", APPENDED),
  /** A create time is outside the topic's window. */
  RECORD_TIMESTAMP_OUT_OF_RANGE(
      INVALID_TIMESTAMP, "timestamp %d is too far from now, %d", APPENDED),
  /** The producer claims the broker's timestamp type. */
  RECORD_TIMESTAMP_TYPE_INVALID(
      INVALID_TIMESTAMP, "timestamp %d claims to be set by the broker", APPENDED),
  /** The offsets of a compressed batch that is appended are not 0, 1, 2, ...; Kafka crashes. */
  RECORD_OFFSET_UNEXPECTED("the record's offset is %d, expected %d", APPENDED),
  /** In a log, offset deltas must ascend up to the last offset delta; gaps are allowed. */
  RECORD_OFFSET_OUT_OF_ORDER(
      "offset delta is %d after %d, or beyond the batch's last one", only(STORED)),
  /** In a log, the maximum timestamp must be that of the records. */
  BATCH_MAX_TIMESTAMP_MISMATCH("maximum timestamp is %d, the records have %d", only(STORED)),
  /** In a rebuild, the magic of a batch differs from that of the first batch. */
  REBUILD_MAGIC_MISMATCH("magic is %d, that of the first batch %d", APPENDED),
  /** In a rebuild, a timestamp is negative but not -1 (none); Kafka crashes. */
  REBUILD_TIMESTAMP_NEGATIVE("timestamp is %d", APPENDED),
  /** In a rebuild to magic 0 or 1, a record has headers; Kafka crashes. */
  REBUILD_HEADERS_UNSUPPORTED("the record has %d headers, magic %d knows none", APPENDED),
  /** In a rebuild, the log has no offsets left; Kafka crashes. */
  REBUILD_OFFSET_OVERFLOW("there are not enough offsets behind %d", APPENDED),
  /** In a rebuild, a transactional batch has no producer id; Kafka crashes. */
  REBUILD_PRODUCER_ID_MISSING("transactional without a producer id", APPENDED),
  /** In a rebuild, a batch has a producer id but no epoch; Kafka crashes. */
  REBUILD_PRODUCER_EPOCH_MISSING("no producer epoch for producer id %d", APPENDED),
  /** In a rebuild, a batch of a coordinator has a producer id but no sequence; Kafka crashes. */
  REBUILD_SEQUENCE_MISSING("base sequence is %d for producer id %d", APPENDED),
  /** In a rebuild for a log-append-time topic, there is no record; Kafka crashes. */
  REBUILD_WITHOUT_RECORDS("there is no record to take an offset from", APPENDED),
  /** The codec library failed to compress a rebuilt batch. */
  CODEC_ENCODE_FAILED(DECODE_FAILURE, "the library for codec id %d failed to compress", APPENDED),
  /** A rebuilt batch exceeds {@link Limits#rebuiltBytes()} or the available heap. */
  LIMIT_REBUILT_BYTES(
      MESSAGE_TOO_LARGE, "the rebuilt batch needs at least %d bytes, the limit is %d", APPENDED),
  // The rules of a topic follow. Kafka has none of them.
  /** A topic with rules for records does not take messages of magic 0 and 1. */
  TOPIC_MAGIC_UNSUPPORTED("magic is %d, the rules of the topic need magic 2"),
  /** The topic does not allow the codec of the batch. */
  TOPIC_CODEC_NOT_ALLOWED("the topic does not allow codec id %d"),
  /** The topic requires a key in every record. */
  TOPIC_KEY_MISSING("the record has no key, the topic requires one"),
  /** The topic requires a value in every record. */
  TOPIC_VALUE_MISSING("the record has no value, the topic requires one"),
  /** The size of the key is outside the topic's range. */
  TOPIC_KEY_SIZE_OUT_OF_RANGE("the key has %d bytes, the topic's bound is %d"),
  /** The size of the value is outside the topic's range. */
  TOPIC_VALUE_SIZE_OUT_OF_RANGE("the value has %d bytes, the topic's bound is %d"),
  /** The key does not start as the topic requires. Its first four bytes are reported. */
  TOPIC_KEY_START_UNEXPECTED(
      "the key starts with %08x, which the topic does not allow; it has %d bytes"),
  /** The value does not start as the topic requires. Its first four bytes are reported. */
  TOPIC_VALUE_START_UNEXPECTED(
      "the value starts with %08x, which the topic does not allow; it has %d bytes"),
  /** The key has no valid schema id where the topic expects one. */
  TOPIC_KEY_SCHEMA_MISSING("the key has no valid schema id"),
  /** The topic does not allow the schema id of the key. */
  TOPIC_KEY_SCHEMA_NOT_ALLOWED("the key has schema id %d, which the topic does not allow"),
  /** The topic does not allow the schema GUID of the key. */
  TOPIC_KEY_SCHEMA_GUID_NOT_ALLOWED(
      "the key has a schema GUID that starts with %08x, which the topic does not allow"),
  /** The value has no valid schema id where the topic expects one. */
  TOPIC_VALUE_SCHEMA_MISSING("the value has no valid schema id"),
  /** The topic does not allow the schema id of the value. */
  TOPIC_VALUE_SCHEMA_NOT_ALLOWED("the value has schema id %d, which the topic does not allow"),
  /** The topic does not allow the schema GUID of the value. */
  TOPIC_VALUE_SCHEMA_GUID_NOT_ALLOWED(
      "the value has a schema GUID that starts with %08x, which the topic does not allow"),
  /** A header that the topic requires is missing. */
  TOPIC_HEADER_MISSING("the record lacks required header %d of the topic"),
  /** The record has a header that the topic forbids. */
  TOPIC_HEADER_FORBIDDEN("the record has forbidden header %d of the topic"),
  /** The key of a header is not UTF-8. */
  TOPIC_HEADER_KEY_NOT_UTF8("the key of header %d is not UTF-8, as the topic requires"),
  /** The create time only makes sense in seconds. */
  TOPIC_TIMESTAMP_IN_SECONDS("timestamp %d seems to be in seconds, not milliseconds"),
  /** The create time only makes sense in microseconds. */
  TOPIC_TIMESTAMP_IN_MICROSECONDS("timestamp %d seems to be in microseconds, not milliseconds"),
  /** The create time only makes sense in nanoseconds. */
  TOPIC_TIMESTAMP_IN_NANOSECONDS("timestamp %d seems to be in nanoseconds, not milliseconds"),
  // The reasons of level STRICT follow. Kafka accepts these batches.
  /** Attribute bits without a meaning are set: 7 to 15 in magic 2. */
  BATCH_ATTRIBUTES_RESERVED(STRICT, "attributes %04x have bits set without a meaning", ALL),
  /** The delete horizon bit is set, which only the log cleaner does (KIP-534). */
  BATCH_DELETE_HORIZON_NOT_ALLOWED(
      STRICT, "the delete horizon bit is set, base timestamp is %d", APPENDED),
  /** The producer claims the broker's timestamp type on a topic of create time. */
  BATCH_LOG_APPEND_TIME_NOT_ALLOWED(
      STRICT, INVALID_TIMESTAMP, "maximum timestamp %d claims to be set by the broker", APPENDED),
  /** The batch declares no records, but bytes follow its header. */
  PAYLOAD_NOT_EMPTY(
      STRICT, "%d bytes follow, no records are declared", only(COORDINATOR, REPLICATION, STORED)),
  /** A compressed batch declares no records and has no stream, not even an empty one. */
  PAYLOAD_STREAM_MISSING(
      STRICT,
      "no records are declared, and there is no stream of codec %d",
      only(COORDINATOR, REPLICATION, STORED)),
  /**
   * The number of offsets of a batch that is appended differs from the number of its records, so
   * that its offsets would overlap those of other batches. An empty batch needs at least one
   * offset.
   */
  BATCH_LAST_OFFSET_DELTA_WRONG(
      STRICT, "last offset delta is %d, there are %d records", only(COORDINATOR, REPLICATION)),
  /** A variable-length number has more bytes than necessary, or unused bits that are set. */
  RECORD_NUMBER_NOT_SHORTEST(STRICT, "a number is not written in its shortest form", ALL),
  /** The attributes of a record are not 0. */
  RECORD_ATTRIBUTES_RESERVED(STRICT, "the attributes of the record are %d", ALL),
  /** The length of a key, value or header value is less than -1 (null). */
  RECORD_NULL_LENGTH_INVALID(STRICT, "a length is %d, null is -1", ALL),
  /** The key of a header is not UTF-8; a rebuild would change it. */
  RECORD_HEADER_KEY_NOT_UTF8(STRICT, "the key of header %d is not UTF-8", ALL),
  /**
   * The size of the fields differs from the declared size of the record, in a compressed batch.
   * Kafka stores the batch, but no consumer can read it.
   */
  RECORD_LENGTH_UNTRUE(STRICT, "the record declares %d bytes, its fields take %d", ALL),
  /** Magic 0 and 1: key and value do not end at the end of the message. */
  RECORD_FIELDS_UNTRUE(
      STRICT, CORRUPT_MESSAGE, "the message has %d bytes, its fields end at %d", ALL),
  /** The sum of base timestamp and timestamp delta overflows. */
  RECORD_TIMESTAMP_OVERFLOW(STRICT, INVALID_TIMESTAMP, "timestamp %d plus %d overflows", ALL),
  /** A timestamp is negative but not -1 (none). */
  RECORD_TIMESTAMP_NEGATIVE(STRICT, INVALID_TIMESTAMP, "timestamp is %d", ALL),
  /** Offset deltas are not 0, 1, 2, ... */
  RECORD_OFFSET_NOT_SEQUENTIAL(STRICT, "the record's offset delta is %d, expected %d", APPENDED),
  /** Magic 0 and 1: a compressed message ends inside an inner message, which Kafka drops. */
  PAYLOAD_MESSAGE_CUT(STRICT, "%d bytes of a message are dropped", ALL),
  /** Bytes follow the end of the compressed stream. */
  CODEC_BYTES_LEFT(STRICT, "%d bytes follow the compressed stream", ALL),
  /**
   * Readers disagree about the compressed stream. Kafka's own readers skip some of these parts or
   * stop at them, depending on their position; readers of other languages refuse some of them. lz4:
   * a block without content, an end mark with the bit of a stored block. Snappy: a second header.
   * gzip: a second member, reserved flags. zstd: a wrong content size, an empty compressed block, a
   * block above the window, a frame in a header, a format before 0.8. Also zstd: a frame with
   * compressed blocks and a content size above its window that follows another frame or contains at
   * most 16 KiB.
   */
  CODEC_STREAM_AMBIGUOUS(STRICT, "readers of the compressed data may differ", ALL),
  /** The content checksum of an lz4 frame is wrong; Kafka skips it. */
  CODEC_CONTENT_CHECKSUM_WRONG(
      STRICT, "the checksum of the content is %08x, the content has %08x", ALL),
  /** The maximum timestamp that a producer wrote, or left unset, differs from the records. */
  BATCH_MAX_TIMESTAMP_WRONG(STRICT, "maximum timestamp is %d, the records have %d", APPENDED);

  /** The answer of a broker to the produce request: one of Kafka's exception classes. */
  public enum Answer {
    /** {@code InvalidRecordException}, error 87. */
    INVALID_RECORD,
    /** {@code CorruptRecordException}, error 2, which producers retry. */
    CORRUPT_MESSAGE,
    /** {@code InvalidTimestampException}, error 32. */
    INVALID_TIMESTAMP,
    /** {@code RecordTooLargeException}, error 10. */
    MESSAGE_TOO_LARGE,
    /** {@code UnsupportedForMessageFormatException}, error 43. */
    UNSUPPORTED_FORMAT,
    /** {@code KafkaException}, error -1: Kafka's answer to a failing codec. */
    DECODE_FAILURE,
    /** {@code TimeoutException}, error 7, which producers retry: the batch may be sound. */
    TRY_AGAIN
  }

  private final Level level;
  private final Answer answer;

  @SuppressWarnings("ImmutableEnumChecker") // Sentence is immutable
  final Sentence sentence;

  private final int origins;
  private final boolean isTopicRule;
  private final boolean isLimit;

  Reason(String sentenceOfTopicRule) {
    this(sentenceOfTopicRule, only(CLIENT, STORED));
  }

  Reason(String sentence, int origins) {
    this(Level.KAFKA, sentence, origins);
  }

  Reason(Level level, String sentence, int origins) {
    this(level, Answer.INVALID_RECORD, sentence, origins);
  }

  Reason(Answer answer, String sentence, int origins) {
    this(Level.KAFKA, answer, sentence, origins);
  }

  Reason(Level level, Answer answer, String sentence, int origins) {
    this.level = level;
    this.answer = answer;
    this.sentence = new Sentence(sentence);
    this.origins = origins;
    isTopicRule = name().startsWith("TOPIC_");
    isLimit = name().startsWith("LIMIT_");
  }

  /** {@return the lowest level that applies this reason} */
  public Level level() {
    return level;
  }

  /** {@return true if a topic's own rules apply this reason, see {@link TopicRules}} */
  public boolean isTopicRule() {
    return isTopicRule;
  }

  /** {@return true if one of the {@link Limits} applies this reason} */
  public boolean isLimit() {
    return isLimit;
  }

  /** {@return true if the reason can be among the {@link Findings} of a batch} */
  public boolean isFinding() {
    return level == STRICT || isTopicRule;
  }

  /** {@return the answer of a broker} */
  public Answer answer() {
    return answer;
  }

  /**
   * {@return true if the reason applies to batches of an origin}
   *
   * @param origin the source of the batch
   */
  public boolean appliesTo(Origin origin) {
    return (origins & origin.bit) != 0;
  }

  /**
   * Returns a sentence about the fault. Allocates; never called between entry and verdict.
   *
   * @param first the first operand, as {@link Verdict#firstOperand()}
   * @param second the second operand, as {@link Verdict#secondOperand()}
   * @return the sentence
   */
  public String describe(long first, long second) {
    return sentence.text(first, second);
  }

  /**
   * Appends the sentence. Allocates only when the builder grows.
   *
   * @param first the first operand
   * @param second the second operand
   * @param text the builder
   */
  public void describe(long first, long second, StringBuilder text) {
    sentence.append(first, second, text);
  }
}
