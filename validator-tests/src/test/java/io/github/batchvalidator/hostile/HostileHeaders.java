// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.hostile.HostileInput.Topic;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Batches whose prefix or header is not what a producer writes. */
final class HostileHeaders {
  private static final long NOW = Batches.nowMs();

  private HostileHeaders() {}

  static void addTo(Rows rows) {
    framing(rows);
    attributes(rows);
    fields(rows);
    timestamps(rows);
  }

  private static ByteBuffer good() {
    return Batches.ofPlain(Codec.LZ4, 2, Rows.records(2));
  }

  private static byte[] with(HeaderField field, long value) {
    return Batches.fixCrc(field.set(good(), value)).array();
  }

  /** As {@link #with}, where a checksum cannot be made. */
  private static byte[] bare(HeaderField field, long value) {
    return field.set(good(), value).array();
  }

  /** Returns the start of a batch that says that this is all. */
  private static byte[] cutTo(int bytes) {
    ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(good().array(), bytes));
    HeaderField.LENGTH.set(cut, bytes - BatchLayout.LOG_OVERHEAD);
    return bytes > BatchLayout.ATTRIBUTES_OFFSET ? Batches.fixCrc(cut).array() : cut.array();
  }

  private static void framing(Rows rows) {
    rows.of("impossible length or magic of the batch");
    for (int length : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 11}) {
      rows.refused(
          "" + length, Reason.FRAMING_LENGTH_OVERFLOW, () -> bare(HeaderField.LENGTH, length));
    }
    for (int length : new int[] {13, 0, -1}) {
      rows.refused(
          "" + length, Reason.FRAMING_LENGTH_TOO_SMALL, () -> bare(HeaderField.LENGTH, length));
    }
    for (int magic : new int[] {3, 127, -1}) {
      rows.refused(
          "magic " + magic, Reason.FRAMING_MAGIC_UNKNOWN, () -> bare(HeaderField.MAGIC, magic));
    }
    rows.of("batch that the buffer does not hold as a whole");
    rows.refused("cut", Reason.FRAMING_INCOMPLETE, () -> Bytes.cut(good().array(), -1));
    rows.refused("declared", Reason.FRAMING_INCOMPLETE, () -> bare(HeaderField.LENGTH, 1 << 30));
    rows.refused("nothing", Reason.FRAMING_INCOMPLETE, () -> new byte[0]);
    rows.of("batch shorter than its header").to(Topic.UNCHECKED);
    for (int bytes : new int[] {26, 27, 60}) {
      rows.refused("" + bytes, Reason.BATCH_HEADER_INCOMPLETE, () -> cutTo(bytes));
    }
    rows.of("second batch");
    rows.refused(
        "whole", Reason.BATCH_NOT_ALONE, () -> Bytes.concat(good().array(), good().array()));
    rows.of("wrong checksum");
    rows.refused("one bit", Reason.BATCH_CRC_MISMATCH, () -> Bytes.damaged(good().array(), -1));
  }

  private static void attributes(Rows rows) {
    rows.of("unknown codec");
    for (int id = 5; id < 8; id++) {
      int bits = id;
      rows.refused("" + id, Reason.BATCH_CODEC_UNKNOWN, () -> with(HeaderField.ATTRIBUTES, bits));
    }
    rows.of("attribute bits that no client sets");
    int lz4 = Codec.LZ4.id();
    for (int bit = 7; bit < Short.SIZE; bit++) {
      int bits = lz4 | 1 << bit;
      rows.lax(
          "" + bit, Reason.BATCH_ATTRIBUTES_RESERVED, () -> with(HeaderField.ATTRIBUTES, bits));
    }
    int horizon = lz4 | BatchLayout.DELETE_HORIZON_MASK;
    rows.lax(
        "delete horizon",
        Reason.BATCH_DELETE_HORIZON_NOT_ALLOWED,
        () -> with(HeaderField.ATTRIBUTES, horizon));
    int appendTime = lz4 | BatchLayout.TIMESTAMP_TYPE_MASK;
    rows.lax(
        "log append time",
        Reason.BATCH_LOG_APPEND_TIME_NOT_ALLOWED,
        () -> with(HeaderField.ATTRIBUTES, appendTime));
    int control = lz4 | BatchLayout.CONTROL_MASK;
    rows.refused(
        "control batch",
        Reason.BATCH_CONTROL_NOT_ALLOWED,
        () -> with(HeaderField.ATTRIBUTES, control));
  }

  private static void fields(Rows rows) {
    rows.of("impossible offsets or sequence");
    rows.refused(
        "base", Reason.BATCH_BASE_OFFSET_NOT_ZERO, () -> with(HeaderField.BASE_OFFSET, -1));
    for (long delta : new long[] {-1, Integer.MIN_VALUE}) {
      rows.refused(
          "" + delta,
          Reason.BATCH_OFFSET_RANGE_INVALID,
          () -> with(HeaderField.LAST_OFFSET_DELTA, delta));
    }
    rows.refused(
        "largest",
        Reason.BATCH_COUNT_MISMATCH,
        () -> with(HeaderField.LAST_OFFSET_DELTA, Integer.MAX_VALUE));
    rows.refused("sequence", Reason.BATCH_SEQUENCE_INVALID, () -> with(HeaderField.PRODUCER_ID, 7));
  }

  private static void timestamps(Rows rows) {
    rows.of("timestamps that no client sends");
    for (long wrong : new long[] {-1, 0, NOW - 1, Long.MAX_VALUE}) {
      rows.lax(
          "maximum " + wrong,
          Reason.BATCH_MAX_TIMESTAMP_WRONG,
          () -> with(HeaderField.MAX_TIMESTAMP, wrong));
    }
    rows.lax("below -1", Reason.RECORD_TIMESTAMP_NEGATIVE, () -> timestamps(-1, -1));
    rows.lax("overflow", Reason.RECORD_TIMESTAMP_OVERFLOW, () -> timestamps(Long.MAX_VALUE, 1));
  }

  /** Returns a batch whose one record has a timestamp that is a base and a delta. */
  private static byte[] timestamps(long base, long delta) {
    byte[] record = new RecordBytes().timestampDelta(varint(delta, 1)).toBytes();
    ByteBuffer batch = Batches.ofPlain(Codec.LZ4, 1, record);
    HeaderField.BASE_TIMESTAMP.set(batch, base);
    return Batches.fixCrc(HeaderField.MAX_TIMESTAMP.set(batch, -1)).array();
  }
}
