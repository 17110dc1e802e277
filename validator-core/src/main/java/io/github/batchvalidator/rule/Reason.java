// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import static io.github.batchvalidator.rule.Origin.CLIENT;
import static io.github.batchvalidator.rule.Origin.COORDINATOR;
import static io.github.batchvalidator.rule.Origin.REPLICATION;
import static io.github.batchvalidator.rule.Origin.STORED;

/**
 * Everything that can be wrong with a batch, in the order in which it is looked for. The name of a
 * constant is its stable id: it appears in reports, metrics and {@code docs/rules.md}.
 *
 * <p>A constant says to which origins it applies, how a broker should answer, and how to tell a
 * person what was found. The first word is the family: {@code FRAMING} (the prefix that every batch
 * has), {@code BATCH} (the header), {@code CODEC} (the compressed stream), {@code RECORD} (one
 * record), {@code PAYLOAD} (the records as a whole), {@code REBUILD} (what only writing anew
 * finds), {@code LIMIT} (ours, not Kafka's).
 *
 * <p>Those of {@link Level#STRICT} come last: they count once nothing of level KAFKA was found.
 */
public enum Reason {
  /** The buffer ends before the batch does; Kafka's scanner drops such a tail silently. */
  FRAMING_INCOMPLETE(
      Answer.INVALID_RECORD, "the batch needs at least %d bytes, %d are there", Origins.ALL),
  /** The length field is below 14, the smallest record any magic knows. */
  FRAMING_LENGTH_TOO_SMALL(
      Answer.CORRUPT_MESSAGE, "the length field says %d, the least is 14", Origins.ALL),
  /** The length field is so large that length and prefix overflow an int; Kafka crashes. */
  FRAMING_LENGTH_OVERFLOW(
      Answer.CORRUPT_MESSAGE, "the length field says %d, which no buffer can hold", Origins.ALL),
  /** The magic byte is none of 0, 1 and 2. */
  FRAMING_MAGIC_UNKNOWN(Answer.CORRUPT_MESSAGE, "magic is %d, not 0, 1 or 2", Origins.ALL),
  /** A caller's check: clients send magic 2. */
  BATCH_MAGIC_UNSUPPORTED(Answer.INVALID_RECORD, "magic is %d, clients send 2", Origins.of(CLIENT)),
  /** The batch is of magic 2 and shorter than its own header of 61 bytes. */
  BATCH_HEADER_INCOMPLETE(
      Answer.CORRUPT_MESSAGE, "the batch has %d bytes, its header alone has 61", Origins.ALL),
  /** A caller's check: clients send base offset 0. */
  BATCH_BASE_OFFSET_NOT_ZERO(
      Answer.INVALID_RECORD, "base offset is %d, clients send 0", Origins.of(CLIENT)),
  /** A caller's check: the batch is larger than {@link Policy#maxBatchBytes()}. */
  BATCH_TOO_LARGE(
      Answer.MESSAGE_TOO_LARGE,
      "the batch has %d bytes, the topic takes %d",
      Origins.of(CLIENT, COORDINATOR)),
  /** A caller's check: the stored CRC-32C, of magic 0 and 1 CRC-32, is not that of the bytes. */
  BATCH_CRC_MISMATCH(
      Answer.CORRUPT_MESSAGE, "the stored CRC is %08x, the bytes have %08x", Origins.ALL),
  /** A second batch follows. */
  BATCH_NOT_ALONE(Answer.INVALID_RECORD, "another batch follows at byte %d", Origins.APPENDED),
  /** The last offset lies before the base offset. */
  BATCH_OFFSET_RANGE_INVALID(
      Answer.INVALID_RECORD, "last offset delta is %d", Origins.of(CLIENT, STORED)),
  /** The batch claims to hold no record. */
  BATCH_COUNT_NOT_POSITIVE(Answer.INVALID_RECORD, "record count is %d", Origins.of(CLIENT)),
  /** The offset range does not hold as many offsets as there are records. */
  BATCH_COUNT_MISMATCH(
      Answer.INVALID_RECORD, "record count is %d, the offset range holds %d", Origins.of(CLIENT)),
  /** Clients may not write control batches. */
  BATCH_CONTROL_NOT_ALLOWED(
      Answer.INVALID_RECORD, "control batch from a client", Origins.of(CLIENT)),
  /** There is a producer id but no sequence. */
  BATCH_SEQUENCE_INVALID(
      Answer.INVALID_RECORD, "base sequence is %d for producer id %d", Origins.of(CLIENT)),
  /** Transactional, and the log stores magic 0 or 1. */
  BATCH_TRANSACTIONAL_UNSUPPORTED(
      Answer.UNSUPPORTED_FORMAT,
      "transactional records cannot be stored with magic %d",
      Origins.APPENDED),
  /** There is a producer id, and the log stores magic 0 or 1. */
  BATCH_IDEMPOTENT_UNSUPPORTED(
      Answer.UNSUPPORTED_FORMAT,
      "idempotent records cannot be stored with magic %d",
      Origins.APPENDED),
  /** Codec ids 5 to 7; Kafka crashes. */
  BATCH_CODEC_UNKNOWN(Answer.INVALID_RECORD, "codec id is %d", Origins.ALL),
  /** Magic 0 and 1 know no zstd (KIP-110). */
  BATCH_CODEC_UNSUPPORTED(
      Answer.INVALID_RECORD, "codec id is %d, which magic %d does not know", Origins.ALL),
  /** The key or value of a compressed message of magic 0 or 1 does not fit in it; Kafka crashes. */
  BATCH_FIELD_BEYOND_END(
      Answer.CORRUPT_MESSAGE, "a field of the message ends at byte %d, it has %d", Origins.ALL),
  /** A compressed message of magic 0 or 1 has no value. */
  BATCH_VALUE_MISSING(
      Answer.INVALID_RECORD, "the compressed message of magic %d has no value", Origins.ALL),
  /** The library of this codec is not on the class path or cannot be loaded. */
  CODEC_UNAVAILABLE(
      Answer.DECODE_FAILURE, "the library for codec id %d is not available", Origins.ALL),
  /**
   * The JVM has no heap, direct or native memory for this codec at the moment. The batch may be
   * sound; the next batch tries again.
   */
  CODEC_OUT_OF_MEMORY(
      Answer.TRY_AGAIN, "there is no memory for codec id %d at the moment", Origins.ALL),
  /** The compressed stream does not start as its codec demands. */
  CODEC_HEADER_INVALID(
      Answer.DECODE_FAILURE, "the compressed stream does not start as it should", Origins.ALL),
  /** The codec refuses the data. */
  CODEC_DATA_CORRUPT(Answer.DECODE_FAILURE, "the compressed data is corrupt", Origins.ALL),
  /** The compressed stream ends before its own end mark. */
  CODEC_DATA_TRUNCATED(Answer.DECODE_FAILURE, "the compressed data ends early", Origins.ALL),
  /** A checksum or length inside the compressed stream does not fit the data. */
  CODEC_CHECKSUM_MISMATCH(
      Answer.DECODE_FAILURE, "a checksum of the compressed stream is wrong", Origins.ALL),
  /**
   * The compressed stream ends where a checksum should be, which Kafka's lz4 reader does not look
   * for: it crashes, but within a record it takes that for the end of the record.
   */
  CODEC_CHECKSUM_MISSING(
      Answer.DECODE_FAILURE, "the compressed data ends in front of a checksum", Origins.ALL),
  /** The codec needs more memory than {@link Limits#codecMemoryBytes()}. */
  LIMIT_CODEC_MEMORY(
      Answer.INVALID_RECORD, "the codec asks for %d bytes, the limit is %d", Origins.ALL),
  /** The batch decompresses to more than {@link Limits#plainBytes()}. */
  LIMIT_PLAIN_BYTES(
      Answer.INVALID_RECORD, "the batch has at least %d plain bytes, the limit is %d", Origins.ALL),
  /** The batch decompresses to more than {@link Limits#ratio()} allows for its size. */
  LIMIT_RATIO(
      Answer.INVALID_RECORD,
      "the batch has at least %d plain bytes, its compressed size allows %d",
      Origins.ALL),
  /** The batch has more records than {@link Limits#records()}. */
  LIMIT_RECORDS(
      Answer.INVALID_RECORD, "the batch has at least %d records, the limit is %d", Origins.ALL),
  /** A record of a compressed batch declares, or takes, what {@link Limits} do not allow. */
  LIMIT_RECORD_BYTES(
      Answer.INVALID_RECORD, "the record has %d bytes, the limit is %d", Origins.ALL),
  /** A record has more headers than {@link Limits#headers()}. */
  LIMIT_HEADERS(Answer.INVALID_RECORD, "the record has %d headers, the limit is %d", Origins.ALL),
  /** The headers of a record take more than {@link Limits#headerBytes()}. */
  LIMIT_HEADER_BYTES(
      Answer.INVALID_RECORD,
      "the headers of the record have at least %d bytes, the limit is %d",
      Origins.ALL),
  /** The record count is negative. */
  PAYLOAD_COUNT_NEGATIVE(Answer.INVALID_RECORD, "record count is %d", Origins.ALL),
  /** The payload ends before the declared number of records was read. */
  PAYLOAD_RECORDS_MISSING(
      Answer.INVALID_RECORD, "%d records are declared, the payload ends after %d", Origins.ALL),
  /** The payload ends inside a record: in a field that lacks so many bytes, 0 for a number. */
  RECORD_TRUNCATED(
      Answer.INVALID_RECORD,
      "the payload ends inside the record, which declares %d bytes; %d of a field are missing",
      Origins.ALL),
  /** A varint has more than 5 bytes or a varlong more than 10. */
  RECORD_VARINT_TOO_LONG(
      Answer.INVALID_RECORD,
      "a variable-length number does not end, %d bytes into the record",
      Origins.ALL),
  /**
   * The declared length of an uncompressed record is larger than what is left, or that of a
   * compressed record is negative where records are read in full.
   */
  RECORD_LENGTH_INVALID(
      Answer.INVALID_RECORD, "the record declares %d bytes, at most %d may follow", Origins.ALL),
  /**
   * The number of headers is negative or, uncompressed or where a compressed batch is read in full,
   * larger than what is left.
   */
  RECORD_HEADER_COUNT_INVALID(
      Answer.INVALID_RECORD, "the record declares %d headers, at most %d may follow", Origins.ALL),
  /** The key of a header has a negative length. */
  RECORD_HEADER_KEY_INVALID(Answer.INVALID_RECORD, "a header key has length %d", Origins.ALL),
  /**
   * Uncompressed, or where a compressed batch is read in full: the fields take another number of
   * bytes than the record declares.
   */
  RECORD_LENGTH_MISMATCH(
      Answer.INVALID_RECORD, "the record declares %d bytes, its fields take %d", Origins.ALL),
  /** Magic 0 and 1, compressed: a message declares fewer bytes than the shortest has. */
  RECORD_SIZE_TOO_SMALL(
      Answer.CORRUPT_MESSAGE, "the message declares %d bytes, the least is 14", Origins.ALL),
  /** Magic 0 and 1: there is no message in the compressed one. */
  PAYLOAD_EMPTY(Answer.INVALID_RECORD, "the compressed message holds no message", Origins.ALL),
  /** Magic 1: the offset of the last message lies behind that of the message it is in. */
  PAYLOAD_OFFSET_BEYOND_BATCH(
      Answer.INVALID_RECORD, "the last message has offset %d, the outer one %d", Origins.ALL),
  /** Bytes are left after the declared number of records. */
  PAYLOAD_BYTES_LEFT(Answer.INVALID_RECORD, "bytes are left after %d records", Origins.ALL),
  /** Magic 0 and 1: a message in a compressed one is compressed itself. */
  RECORD_COMPRESSED(Answer.INVALID_RECORD, "the inner message has codec id %d", Origins.ALL),
  /** Magic 0 and 1: a message has another magic than the one it is in. */
  RECORD_MAGIC_MISMATCH(
      Answer.INVALID_RECORD, "magic is %d, that of the outer message %d", Origins.ALL),
  /** Magic 0 and 1: the CRC-32 of a message in a compressed one is not that of its bytes. */
  RECORD_CRC_MISMATCH(
      Answer.CORRUPT_MESSAGE, "the stored CRC is %08x, the bytes have %08x", Origins.ALL),
  /** Magic 0 and 1: a field that is needed does not fit in the message; Kafka crashes. */
  RECORD_FIELD_BEYOND_END(
      Answer.CORRUPT_MESSAGE,
      "a field of the message ends at byte %d, it has %d",
      Origins.APPENDED),
  /** A compacted topic needs a key in every record. */
  RECORD_KEY_MISSING(
      Answer.INVALID_RECORD, "the record has no key, the topic is compacted", Origins.APPENDED),
  /** A create time lies outside of the topic's window. */
  RECORD_TIMESTAMP_OUT_OF_RANGE(
      Answer.INVALID_TIMESTAMP, "timestamp %d is too far from now, %d", Origins.APPENDED),
  /** The producer claims the broker's timestamp type. */
  RECORD_TIMESTAMP_TYPE_INVALID(
      Answer.INVALID_TIMESTAMP, "timestamp %d claims to be set by the broker", Origins.APPENDED),
  /** Compressed, to be appended: offsets must be 0, 1, 2, ...; Kafka crashes. */
  RECORD_OFFSET_UNEXPECTED(
      Answer.INVALID_RECORD, "the record's offset is %d, expected %d", Origins.APPENDED),
  /** In a log, offset deltas ascend from 0 to the last offset delta, gaps allowed. */
  RECORD_OFFSET_OUT_OF_ORDER(
      Answer.INVALID_RECORD,
      "offset delta is %d after %d, or beyond the batch's last one",
      Origins.of(STORED)),
  /** In a log, the maximum timestamp is that of the records. */
  BATCH_MAX_TIMESTAMP_MISMATCH(
      Answer.INVALID_RECORD, "maximum timestamp is %d, the records have %d", Origins.of(STORED)),
  /** To be rebuilt: a batch has another magic than the first one. */
  REBUILD_MAGIC_MISMATCH(
      Answer.INVALID_RECORD, "magic is %d, that of the first batch %d", Origins.APPENDED),
  /** To be rebuilt: a timestamp is negative, and not -1, which means none; Kafka crashes. */
  REBUILD_TIMESTAMP_NEGATIVE(Answer.INVALID_RECORD, "timestamp is %d", Origins.APPENDED),
  /** To be rebuilt: magic 0 and 1 have no headers; Kafka crashes. */
  REBUILD_HEADERS_UNSUPPORTED(
      Answer.INVALID_RECORD, "the record has %d headers, magic %d knows none", Origins.APPENDED),
  /** To be rebuilt: the offsets behind the log's end are used up; Kafka crashes. */
  REBUILD_OFFSET_OVERFLOW(
      Answer.INVALID_RECORD, "there are not enough offsets behind %d", Origins.APPENDED),
  /** To be rebuilt: transactional without a producer id; Kafka crashes. */
  REBUILD_PRODUCER_ID_MISSING(
      Answer.INVALID_RECORD, "transactional without a producer id", Origins.APPENDED),
  /** To be rebuilt: there is a producer id but no epoch; Kafka crashes. */
  REBUILD_PRODUCER_EPOCH_MISSING(
      Answer.INVALID_RECORD, "no producer epoch for producer id %d", Origins.APPENDED),
  /** To be rebuilt: there is a producer id but no sequence, not from a client; Kafka crashes. */
  REBUILD_SEQUENCE_MISSING(
      Answer.INVALID_RECORD, "base sequence is %d for producer id %d", Origins.APPENDED),
  /** To be rebuilt for a log-append-time topic: there is no record; Kafka crashes. */
  REBUILD_WITHOUT_RECORDS(
      Answer.INVALID_RECORD, "there is no record to take an offset from", Origins.APPENDED),
  /** A rebuilt batch could not be compressed: the library of its codec failed. */
  CODEC_ENCODE_FAILED(
      Answer.DECODE_FAILURE, "the library for codec id %d failed to compress", Origins.APPENDED),
  /** A rebuilt batch is larger than it may be, or than the heap has room for. */
  LIMIT_REBUILT_BYTES(
      Answer.MESSAGE_TOO_LARGE,
      "the rebuilt batch needs at least %d bytes, the limit is %d",
      Origins.APPENDED),
  // From here on level STRICT: Kafka lets pass what these name.
  /** Attribute bits 7 to 15, of magic 0 and 1 those without a meaning, are set. */
  BATCH_ATTRIBUTES_RESERVED(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "attributes %04x have bits set without a meaning",
      Origins.ALL),
  /** The delete horizon bit is set, which only the log cleaner does (KIP-534). */
  BATCH_DELETE_HORIZON_NOT_ALLOWED(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "the delete horizon bit is set, base timestamp is %d",
      Origins.APPENDED),
  /** The producer claims the broker's timestamp type on a topic of create time. */
  BATCH_LOG_APPEND_TIME_NOT_ALLOWED(
      Level.STRICT,
      Answer.INVALID_TIMESTAMP,
      "maximum timestamp %d claims to be set by the broker",
      Origins.APPENDED),
  /** The batch declares no records, and bytes follow its header. */
  PAYLOAD_NOT_EMPTY(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "%d bytes follow, no records are declared",
      Origins.of(COORDINATOR, REPLICATION, STORED)),
  /** Compressed: the batch declares no records, and its stream is missing, not empty. */
  PAYLOAD_STREAM_MISSING(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "no records are declared, and there is no stream of codec %d",
      Origins.of(COORDINATOR, REPLICATION, STORED)),
  /**
   * The offsets of a batch that is appended are not as many as its records: it would get offsets
   * that others have. A batch without records has to have at least one.
   */
  BATCH_LAST_OFFSET_DELTA_WRONG(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "last offset delta is %d, there are %d records",
      Origins.of(COORDINATOR, REPLICATION)),
  /** A number is written with more bytes than it needs, or with bits that do not count. */
  RECORD_NUMBER_NOT_SHORTEST(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "a number is not written in its shortest form",
      Origins.ALL),
  /** The attributes of a record are not 0. */
  RECORD_ATTRIBUTES_RESERVED(
      Level.STRICT, Answer.INVALID_RECORD, "the attributes of the record are %d", Origins.ALL),
  /** The length of a key, value or header value is below -1, which alone means null. */
  RECORD_NULL_LENGTH_INVALID(
      Level.STRICT, Answer.INVALID_RECORD, "a length is %d, null is -1", Origins.ALL),
  /** The key of a header is not UTF-8; writing it anew would change it. */
  RECORD_HEADER_KEY_NOT_UTF8(
      Level.STRICT, Answer.INVALID_RECORD, "the key of header %d is not UTF-8", Origins.ALL),
  /**
   * Compressed: the fields take another number of bytes than the record declares. Kafka stores such
   * a batch and no consumer can read it.
   */
  RECORD_LENGTH_UNTRUE(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "the record declares %d bytes, its fields take %d",
      Origins.ALL),
  /** Magic 0 and 1: key and value do not end where the message does. */
  RECORD_FIELDS_UNTRUE(
      Level.STRICT,
      Answer.CORRUPT_MESSAGE,
      "the message has %d bytes, its fields end at %d",
      Origins.ALL),
  /** Base timestamp and timestamp delta overflow. */
  RECORD_TIMESTAMP_OVERFLOW(
      Level.STRICT, Answer.INVALID_TIMESTAMP, "timestamp %d plus %d overflows", Origins.ALL),
  /** A timestamp is negative, and not -1, which means none. */
  RECORD_TIMESTAMP_NEGATIVE(Level.STRICT, Answer.INVALID_TIMESTAMP, "timestamp is %d", Origins.ALL),
  /** Offset deltas are not 0, 1, 2, ... */
  RECORD_OFFSET_NOT_SEQUENTIAL(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "the record's offset delta is %d, expected %d",
      Origins.APPENDED),
  /** Magic 0 and 1: a compressed message ends inside a message, which Kafka drops. */
  PAYLOAD_MESSAGE_CUT(
      Level.STRICT, Answer.INVALID_RECORD, "%d bytes of a message are dropped", Origins.ALL),
  /** Bytes follow the end of the compressed stream. */
  CODEC_BYTES_LEFT(
      Level.STRICT, Answer.INVALID_RECORD, "%d bytes follow the compressed stream", Origins.ALL),
  /**
   * The compressed stream has a part that Kafka's own readers take for its end or skip, depending
   * on where they stand, or that not all other readers take for what it is: an lz4 block without
   * content, an lz4 end mark with the bit of a stored block, a second Snappy header, a second gzip
   * member, reserved flags of a gzip header; a zstd frame that does not hold as much as it says,
   * has a compressed block without a byte, a block above its window or a frame in its header, has a
   * form from before zstd 0.8, or has compressed blocks, says that it holds more than its window,
   * and follows another or holds at most 16 KiB.
   */
  CODEC_STREAM_AMBIGUOUS(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "readers of the compressed data may differ",
      Origins.ALL),
  /** The checksum over all content of an lz4 frame is wrong; Kafka skips it. */
  CODEC_CONTENT_CHECKSUM_WRONG(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "the checksum of the content is %08x, the content has %08x",
      Origins.ALL),
  /** The maximum timestamp that a producer wrote, or left unset, is not that of the records. */
  BATCH_MAX_TIMESTAMP_WRONG(
      Level.STRICT,
      Answer.INVALID_RECORD,
      "maximum timestamp is %d, the records have %d",
      Origins.APPENDED);

  /** How a broker answers the produce request; each is one of Kafka's exception classes. */
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
    /** {@code KafkaException}, error -1: what Kafka makes of a failing codec. */
    DECODE_FAILURE,
    /** {@code TimeoutException}, error 7, which producers retry: the batch is not at fault. */
    TRY_AGAIN
  }

  private final Level level;
  private final Answer answer;

  @SuppressWarnings("ImmutableEnumChecker") // immutable, and shared with nobody
  final Sentence sentence;

  private final int origins;

  Reason(Answer answer, String sentence, int origins) {
    this(Level.KAFKA, answer, sentence, origins);
  }

  Reason(Level level, Answer answer, String sentence, int origins) {
    this.level = level;
    this.answer = answer;
    this.sentence = new Sentence(sentence);
    this.origins = origins;
  }

  /** {@return the lowest level at which this is a reason to refuse} */
  public Level level() {
    return level;
  }

  /** {@return how a broker answers} */
  public Answer answer() {
    return answer;
  }

  /**
   * {@return true if batches of this origin are held to the rule}
   *
   * @param origin where the batch comes from
   */
  public boolean appliesTo(Origin origin) {
    return (origins & origin.bit) != 0;
  }

  /**
   * Says in a sentence what was found. Allocates; never called between entry and verdict.
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

  /** Sets of origins as bits; an enum set would be a pointer chase per rule. */
  private static final class Origins {
    static final int ALL = of(Origin.values());
    static final int APPENDED = of(CLIENT, COORDINATOR, REPLICATION);

    static int of(Origin... origins) {
      int bits = 0;
      for (Origin origin : origins) {
        bits |= origin.bit;
      }
      return bits;
    }
  }
}
