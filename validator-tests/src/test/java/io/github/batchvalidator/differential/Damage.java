// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;

/** A fault inside one record, made before the batch is compressed. */
public enum Damage {
  NONE((record, index) -> {}),
  LENGTH_ONE_MORE((record, index) -> record.lengthError(1)),
  LENGTH_ONE_LESS((record, index) -> record.lengthError(-1)),
  LENGTH_ZERO((record, index) -> record.length(varint(0, 1))),
  LENGTH_NEGATIVE((record, index) -> record.length(varint(-1, 1))),
  LENGTH_HUGE((record, index) -> record.length(varint(100_000_000, 1))),
  LENGTH_LARGEST((record, index) -> record.length(varint(Integer.MAX_VALUE, 1))),
  LENGTH_ENDLESS((record, index) -> record.length(endless(5))),
  ATTRIBUTES_SET((record, index) -> record.attributes(0xFF)),
  TIMESTAMP_OVERLONG((record, index) -> record.timestampDelta(varint(3, 9))),
  TIMESTAMP_LONGEST((record, index) -> record.timestampDelta(varint(Long.MIN_VALUE, 10))),
  TIMESTAMP_EXCESS_BITS((record, index) -> record.timestampDelta(withLast(10, 0x7E))),
  TIMESTAMP_ENDLESS((record, index) -> record.timestampDelta(endless(10))),
  OFFSET_REPEATED((record, index) -> record.offsetDelta(varint(index - 1L, 1))),
  OFFSET_SKIPPED((record, index) -> record.offsetDelta(varint(index + 1L, 1))),
  OFFSET_NEGATIVE((record, index) -> record.offsetDelta(varint(-index - 1L, 1))),
  OFFSET_OVERLONG((record, index) -> record.offsetDelta(varint(index, 5))),
  OFFSET_EXCESS_BITS((record, index) -> record.offsetDelta(withLast(5, 0x70))),
  OFFSET_ENDLESS((record, index) -> record.offsetDelta(endless(5))),
  KEY_SIZE_NEGATIVE((record, index) -> record.key(varint(-2, 1), new byte[0])),
  KEY_SIZE_OVERLONG((record, index) -> record.key(varint(2, 4), new byte[2])),
  KEY_BEYOND_RECORD((record, index) -> record.key(varint(30, 1), new byte[2])),
  KEY_BEYOND_BATCH((record, index) -> record.key(varint(1_000_000, 1), new byte[2])),
  KEY_SIZE_LARGEST((record, index) -> record.key(varint(Integer.MAX_VALUE, 1), new byte[2])),
  KEY_SIZE_ENDLESS((record, index) -> record.key(endless(5), new byte[2])),
  KEY_MISSING((record, index) -> record.key(varint(-1, 1), new byte[0])),
  VALUE_SIZE_NEGATIVE((record, index) -> record.value(varint(-5, 1), new byte[0])),
  VALUE_SIZE_SMALLEST((record, index) -> record.value(varint(Integer.MIN_VALUE, 1), new byte[0])),
  VALUE_BEYOND_RECORD((record, index) -> record.value(varint(9, 1), new byte[2])),
  VALUE_BEYOND_BATCH((record, index) -> record.value(varint(1_000_000, 1), new byte[2])),
  VALUE_SIZE_ENDLESS((record, index) -> record.value(endless(5), new byte[2])),
  HEADERS_NEGATIVE((record, index) -> record.headerCount(varint(-1, 1))),
  HEADERS_NEGATED((record, index) -> oneHeader(record).headerCount(varint(-1, 1))),
  HEADERS_SMALLEST((record, index) -> record.headerCount(varint(Integer.MIN_VALUE, 1))),
  HEADERS_MISSING((record, index) -> oneHeader(record).headerCount(varint(2, 1))),
  HEADERS_TOO_MANY((record, index) -> oneHeader(record).headerCount(varint(0, 1))),
  HEADERS_HUGE((record, index) -> oneHeader(record).headerCount(varint(100_000_000, 1))),
  HEADERS_OVERLONG((record, index) -> oneHeader(record).headerCount(varint(1, 5))),
  HEADERS_ENDLESS((record, index) -> oneHeader(record).headerCount(endless(5))),
  HEADER_KEY_NEGATIVE(
      (record, index) -> part(record, varint(-1, 1), 0).headerPart(varint(-1, 1), new byte[0])),
  HEADER_KEY_BEYOND((record, index) -> part(record, varint(50, 1), 3)),
  HEADER_KEY_NOT_TEXT(
      (record, index) ->
          record
              .headerPart(varint(2, 1), new byte[] {(byte) 0xFF, (byte) 0xFE})
              .headerPart(varint(-1, 1), new byte[0])
              .headerCount(varint(1, 1))),
  HEADER_VALUE_NEGATIVE(
      (record, index) -> part(record, varint(1, 1), 1).headerPart(varint(-7, 1), new byte[0])),
  HEADER_VALUE_BEYOND(
      (record, index) -> part(record, varint(1, 1), 1).headerPart(varint(900, 1), new byte[1]));

  @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
  private final ObjIntConsumer<RecordBytes> how;

  Damage(ObjIntConsumer<RecordBytes> how) {
    this.how = how;
  }

  /** Damages the record that is the {@code index}-th of its batch. */
  public RecordBytes apply(RecordBytes record, int index) {
    how.accept(record, index);
    return record;
  }

  /** Returns a batch of three records of which one is damaged, with the right checksum. */
  public byte[] batch(Codec codec, int at) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < 3; i++) {
      RecordBytes record = new RecordBytes().offsetDelta(varint(i, 1));
      plain.writeBytes((i == at ? apply(record, i) : record).toBytes());
    }
    return Batches.ofPlain(codec, 3, plain.toByteArray()).array();
  }

  private static RecordBytes oneHeader(RecordBytes record) {
    return record.header(new byte[] {'h'}, new byte[] {'x', 'y'});
  }

  private static RecordBytes part(RecordBytes record, byte[] size, int bytes) {
    return record.headerPart(size, new byte[bytes]).headerCount(varint(1, 1));
  }

  /** So many bytes, and one more, that all say that another follows. */
  private static byte[] endless(int bytes) {
    byte[] all = new byte[bytes + 1];
    Arrays.fill(all, (byte) 0xFF);
    return all;
  }

  /** Zero in so many bytes, with bits in the last one that do not count. */
  private static byte[] withLast(int bytes, int last) {
    byte[] all = new byte[bytes];
    Arrays.fill(all, (byte) 0x80);
    all[bytes - 1] = (byte) last;
    return all;
  }
}
