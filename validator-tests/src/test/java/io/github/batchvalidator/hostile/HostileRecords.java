// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.codec.Bytes;
import io.github.batchvalidator.differential.Damage;
import io.github.batchvalidator.hostile.HostileInput.Topic;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
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
            () -> damaged(codec, answers));
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
      rows.of("record count, or bytes behind the last record");
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
    }
  }

  private static byte[] of(Codec codec, int count, byte[] plain) {
    return Batches.ofPlain(codec, count, plain).array();
  }

  /** Returns a batch that declares so many records and a range of one offset. */
  private static byte[] count(Codec codec, int count) {
    ByteBuffer batch = Batches.ofPlain(codec, 1, Rows.ONE);
    if (count < 0) {
      HeaderField.LAST_OFFSET_DELTA.set(batch, count - 1);
    }
    return Batches.fixCrc(HeaderField.RECORD_COUNT.set(batch, count)).array();
  }

  /** What each damage is answered with. */
  private enum Answers {
    LENGTH_ONE_MORE(null, null, null, null),
    LENGTH_ONE_LESS(null, null, null, null),
    LENGTH_ZERO(null, null, null, null),
    LENGTH_NEGATIVE(null, null, null, null),
    LENGTH_HUGE(null, null, null, null),
    LENGTH_LARGEST(null, null, null, null),
    LENGTH_ENDLESS(null, null, null, null),
    ATTRIBUTES_SET(null, null, null, null),
    TIMESTAMP_OVERLONG(null, null, null, null),
    TIMESTAMP_LONGEST(null, null, null, null),
    TIMESTAMP_EXCESS_BITS(null, null, null, null),
    TIMESTAMP_ENDLESS(null, null, null, null),
    OFFSET_REPEATED(null, null, null, null),
    OFFSET_SKIPPED(null, null, null, null),
    OFFSET_NEGATIVE(null, null, null, null),
    OFFSET_OVERLONG(null, null, null, null),
    OFFSET_EXCESS_BITS(null, null, null, null),
    OFFSET_ENDLESS(null, null, null, null),
    KEY_SIZE_NEGATIVE(null, null, null, null),
    KEY_SIZE_OVERLONG(null, null, null, null),
    KEY_BEYOND_RECORD(null, null, null, null),
    KEY_BEYOND_BATCH(null, null, null, null),
    KEY_SIZE_LARGEST(null, null, null, null),
    KEY_SIZE_ENDLESS(null, null, null, null),
    VALUE_SIZE_NEGATIVE(null, null, null, null),
    VALUE_SIZE_SMALLEST(null, null, null, null),
    VALUE_BEYOND_RECORD(null, null, null, null),
    VALUE_BEYOND_BATCH(null, null, null, null),
    VALUE_SIZE_ENDLESS(null, null, null, null),
    HEADERS_NEGATIVE(null, null, null, null),
    HEADERS_NEGATED(null, null, null, null),
    HEADERS_SMALLEST(null, null, null, null),
    HEADERS_MISSING(null, null, null, null),
    HEADERS_TOO_MANY(null, null, null, null),
    HEADERS_HUGE(null, null, null, null),
    HEADERS_OVERLONG(null, null, null, null),
    HEADERS_ENDLESS(null, null, null, null),
    HEADER_KEY_NEGATIVE(null, null, null, null),
    HEADER_KEY_BEYOND(null, null, null, null),
    HEADER_KEY_NOT_TEXT(null, null, null, null),
    HEADER_VALUE_NEGATIVE(null, null, null, null),
    HEADER_VALUE_BEYOND(null, null, null, null);

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

    /** Returns the class that the first word of a damage stands for. */
    String family() {
      if (name().endsWith("ENDLESS")) {
        return "number without end";
      }
      if (name().endsWith("OVERLONG") || name().endsWith("LONGEST") || name().endsWith("BITS")) {
        return "number longer than it needs to be, or with bits that do not count";
      }
      return switch (name().substring(0, name().indexOf('_'))) {
        case "LENGTH" -> "length that lies";
        case "ATTRIBUTES" -> "attributes without a meaning";
        case "OFFSET" -> "offsets that are not 0, 1, 2, ...";
        case "KEY", "VALUE" -> "key or value whose length lies";
        case "HEADERS" -> "header count that lies";
        default -> "header whose length lies, or that is no text";
      };
    }
  }
}
