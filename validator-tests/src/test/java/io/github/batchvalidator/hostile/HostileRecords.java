// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.differential.Damage;
import io.github.batchvalidator.hostile.HostileInput.Topic;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Batches whose stream is right and whose records are not: three, of which the second lies. */
final class HostileRecords {
  private HostileRecords() {}

  static void addTo(Rows rows) {
    for (Answers answers : Answers.values()) {
      rows.of("record, not compressed: " + answers.family());
      rows.add(
          "" + answers, answers.plain, answers.plainStrict, () -> damaged(Codec.NONE, answers));
    }
    for (Answers answers : Answers.values()) {
      rows.of("record, compressed: " + answers.family());
      for (Codec codec : HostileWork.codecs()) {
        rows.add(
                codec + " " + answers,
                answers.compressed,
                answers.compressedStrict,
                () -> damaged(codec, answers))
            .limited(answers.limited());
      }
    }
    counts(rows);
  }

  private static byte[] damaged(Codec codec, Answers answers) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < 3; i++) {
      RecordBytes record = new RecordBytes().offsetDelta(varint(i, 1));
      plain.writeBytes((i == 1 ? answers.damage.apply(record, i) : record).toBytes());
    }
    return Batches.ofPlain(codec, 3, plain.toByteArray()).array();
  }

  private static void counts(Rows rows) {
    for (Codec codec : Codec.values()) {
      rows.of("record count, or bytes after the last record");
      byte[] plain = Rows.records(2);
      rows.refused("" + codec + 1, Reason.PAYLOAD_BYTES_LEFT, () -> of(codec, 1, plain));
      rows.refused("" + codec + 3, Reason.PAYLOAD_RECORDS_MISSING, () -> of(codec, 3, plain));
      byte[] more = Bytes.concat(plain, new byte[1]);
      rows.refused(codec + " byte", Reason.PAYLOAD_BYTES_LEFT, () -> of(codec, 2, more));
      byte[] cut = Bytes.cut(plain, -Rows.TWO.length + 4);
      rows.refused(
          codec + " cut",
          codec == Codec.NONE ? Reason.RECORD_LENGTH_INVALID : Reason.RECORD_TRUNCATED,
          () -> of(codec, 2, cut));
      rows.of("record count that is not positive");
      rows.refused(codec + " client", Reason.BATCH_COUNT_NOT_POSITIVE, () -> count(codec, -1));
      rows.to(Topic.INTERNAL);
      rows.refused(codec + " -1", Reason.PAYLOAD_COUNT_NEGATIVE, () -> count(codec, -1));
      rows.lax(codec + " 0", Reason.PAYLOAD_NOT_EMPTY, () -> count(codec, 0));
      if (codec != Codec.NONE) {
        rows.lax(codec + " 0, no stream", Reason.PAYLOAD_STREAM_MISSING, () -> empty(codec));
      }
    }
  }

  private static byte[] of(Codec codec, int count, byte[] plain) {
    return Batches.ofPlain(codec, count, plain).array();
  }

  /** Returns a batch of one offset that declares so many records. */
  private static byte[] count(Codec codec, int count) {
    ByteBuffer batch = Batches.ofPlain(codec, 1, Rows.ONE);
    return Batches.fixCrc(HeaderField.RECORD_COUNT.set(batch, count)).array();
  }

  private static byte[] empty(Codec codec) {
    ByteBuffer batch = Batches.ofPayload(codec, 0, new byte[0]);
    return Batches.fixCrc(HeaderField.LAST_OFFSET_DELTA.set(batch, 0)).array();
  }

  /** What each damage is answered with. */
  private enum Answers {
    LENGTH_ONE_MORE(
        Reason.RECORD_LENGTH_MISMATCH,
        Reason.RECORD_LENGTH_MISMATCH,
        null,
        Reason.RECORD_LENGTH_UNTRUE),
    LENGTH_ONE_LESS(
        Reason.RECORD_LENGTH_MISMATCH,
        Reason.RECORD_LENGTH_MISMATCH,
        null,
        Reason.RECORD_LENGTH_UNTRUE),
    LENGTH_ZERO(
        Reason.RECORD_LENGTH_MISMATCH,
        Reason.RECORD_LENGTH_MISMATCH,
        null,
        Reason.RECORD_LENGTH_UNTRUE),
    LENGTH_NEGATIVE(
        Reason.RECORD_LENGTH_MISMATCH,
        Reason.RECORD_LENGTH_MISMATCH,
        null,
        Reason.RECORD_LENGTH_UNTRUE),
    LENGTH_HUGE(
        Reason.RECORD_LENGTH_INVALID,
        Reason.RECORD_LENGTH_INVALID,
        null,
        Reason.RECORD_LENGTH_UNTRUE),
    LENGTH_LARGEST(
        Reason.RECORD_LENGTH_INVALID,
        Reason.RECORD_LENGTH_INVALID,
        null,
        Reason.RECORD_LENGTH_UNTRUE),
    LENGTH_ENDLESS(
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG),
    ATTRIBUTES_SET(
        null, Reason.RECORD_ATTRIBUTES_RESERVED, null, Reason.RECORD_ATTRIBUTES_RESERVED),
    TIMESTAMP_OVERLONG(
        null, Reason.RECORD_NUMBER_NOT_SHORTEST, null, Reason.RECORD_NUMBER_NOT_SHORTEST),
    TIMESTAMP_LONGEST(
        null, Reason.RECORD_TIMESTAMP_NEGATIVE, null, Reason.RECORD_TIMESTAMP_NEGATIVE),
    TIMESTAMP_EXCESS_BITS(
        null, Reason.RECORD_NUMBER_NOT_SHORTEST, null, Reason.RECORD_NUMBER_NOT_SHORTEST),
    TIMESTAMP_ENDLESS(
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG),
    OFFSET_REPEATED(
        null,
        Reason.RECORD_OFFSET_NOT_SEQUENTIAL,
        Reason.RECORD_OFFSET_UNEXPECTED,
        Reason.RECORD_OFFSET_UNEXPECTED),
    OFFSET_SKIPPED(
        null,
        Reason.RECORD_OFFSET_NOT_SEQUENTIAL,
        Reason.RECORD_OFFSET_UNEXPECTED,
        Reason.RECORD_OFFSET_UNEXPECTED),
    OFFSET_NEGATIVE(
        null,
        Reason.RECORD_OFFSET_NOT_SEQUENTIAL,
        Reason.RECORD_OFFSET_UNEXPECTED,
        Reason.RECORD_OFFSET_UNEXPECTED),
    OFFSET_OVERLONG(
        null, Reason.RECORD_NUMBER_NOT_SHORTEST, null, Reason.RECORD_NUMBER_NOT_SHORTEST),
    OFFSET_EXCESS_BITS(
        null,
        Reason.RECORD_NUMBER_NOT_SHORTEST,
        Reason.RECORD_OFFSET_UNEXPECTED,
        Reason.RECORD_OFFSET_UNEXPECTED),
    OFFSET_ENDLESS(
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG),
    KEY_SIZE_NEGATIVE(
        null, Reason.RECORD_NULL_LENGTH_INVALID, null, Reason.RECORD_NULL_LENGTH_INVALID),
    KEY_SIZE_OVERLONG(
        null, Reason.RECORD_NUMBER_NOT_SHORTEST, null, Reason.RECORD_NUMBER_NOT_SHORTEST),
    KEY_BEYOND_RECORD(
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED),
    KEY_BEYOND_BATCH(
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED),
    KEY_SIZE_LARGEST(
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED),
    KEY_SIZE_ENDLESS(
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG),
    VALUE_SIZE_NEGATIVE(
        null, Reason.RECORD_NULL_LENGTH_INVALID, null, Reason.RECORD_NULL_LENGTH_INVALID),
    VALUE_SIZE_SMALLEST(
        null, Reason.RECORD_NULL_LENGTH_INVALID, null, Reason.RECORD_NULL_LENGTH_INVALID),
    VALUE_BEYOND_RECORD(
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED),
    VALUE_BEYOND_BATCH(
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED),
    VALUE_SIZE_ENDLESS(
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG),
    HEADERS_NEGATIVE(
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID),
    HEADERS_NEGATED(
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID),
    HEADERS_SMALLEST(
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID),
    HEADERS_MISSING(
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED),
    HEADERS_TOO_MANY(
        Reason.RECORD_LENGTH_MISMATCH,
        Reason.RECORD_LENGTH_MISMATCH,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED),
    HEADERS_HUGE(
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_HEADER_COUNT_INVALID,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED),
    HEADERS_OVERLONG(
        null, Reason.RECORD_NUMBER_NOT_SHORTEST, null, Reason.RECORD_NUMBER_NOT_SHORTEST),
    HEADERS_ENDLESS(
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG,
        Reason.RECORD_VARINT_TOO_LONG),
    HEADER_KEY_NEGATIVE(
        Reason.RECORD_HEADER_KEY_INVALID,
        Reason.RECORD_HEADER_KEY_INVALID,
        Reason.RECORD_HEADER_KEY_INVALID,
        Reason.RECORD_HEADER_KEY_INVALID),
    HEADER_KEY_BEYOND(
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED),
    HEADER_KEY_NOT_TEXT(
        null, Reason.RECORD_HEADER_KEY_NOT_UTF8, null, Reason.RECORD_HEADER_KEY_NOT_UTF8),
    HEADER_VALUE_NEGATIVE(
        null, Reason.RECORD_NULL_LENGTH_INVALID, null, Reason.RECORD_NULL_LENGTH_INVALID),
    HEADER_VALUE_BEYOND(
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED,
        Reason.RECORD_TRUNCATED);

    private final Damage damage;
    private final @Nullable Reason plain;
    private final @Nullable Reason plainStrict;
    private final @Nullable Reason compressed;
    private final @Nullable Reason compressedStrict;

    Answers(
        @Nullable Reason plain,
        @Nullable Reason plainStrict,
        @Nullable Reason compressed,
        @Nullable Reason compressedStrict) {
      damage = Damage.valueOf(name());
      this.plain = plain;
      this.plainStrict = plainStrict;
      this.compressed = compressed;
      this.compressedStrict = compressedStrict;
    }

    /** Returns what is refused for its number alone, where records are compressed. */
    @Nullable Reason limited() {
      return switch (damage) {
        case LENGTH_NEGATIVE, LENGTH_HUGE, LENGTH_LARGEST -> Reason.LIMIT_RECORD_BYTES;
        case HEADERS_HUGE -> Reason.LIMIT_HEADERS;
        default -> compressed;
      };
    }

    /** Returns the class that the first word of a damage stands for. */
    String family() {
      if (name().endsWith("ENDLESS")) {
        return "number without end";
      }
      if (name().endsWith("OVERLONG") || name().endsWith("LONGEST") || name().endsWith("BITS")) {
        return "number longer than it needs to be, or with bits that do not count";
      }
      return switch (name().substring(0, name().indexOf('_'))) {
        case "LENGTH" -> "wrong length";
        case "ATTRIBUTES" -> "attributes without a meaning";
        case "OFFSET" -> "offsets that are not 0, 1, 2, ...";
        case "KEY", "VALUE" -> "key or value of a wrong length";
        case "HEADERS" -> "wrong header count";
        default -> "header of a wrong length, or that is no text";
      };
    }
  }
}
