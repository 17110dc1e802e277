// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.hostile.HostileInput.Topic;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.streams.Bytes;
import java.nio.ByteBuffer;
import java.util.List;

/** Messages of magic 1, for a log of magic 1: that of no client since 4.0. */
final class HostileMessages {
  private static final List<Codec> CODECS = List.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4);
  private static final int MIB = 1 << 20;

  private HostileMessages() {}

  static void addTo(Rows rows) {
    clients(rows);
    fields(rows);
    inner(rows);
    work(rows);
  }

  private static void clients(Rows rows) {
    rows.of("message of magic 0 or 1: from a client");
    for (int magic = 0; magic < 2; magic++) {
      LegacyMessage message = LegacyMessage.of(magic);
      rows.refused("" + magic, Reason.BATCH_MAGIC_UNSUPPORTED, message::toBytes);
    }
  }

  private static void fields(Rows rows) {
    rows.of("message of magic 0 or 1: key or value that does not fit in it").to(Topic.OLD);
    Reason untrue = Reason.RECORD_FIELDS_UNTRUE;
    rows.lax("key", untrue, LegacyMessage.of(1).keySizeError(500)::toBytes);
    rows.lax("value", untrue, LegacyMessage.of(1).valueSizeError(-1)::toBytes);
    rows.lax("header cut", untrue, LegacyMessage.of(1).key(null).value(null).cut(8)::toBytes);
    rows.to(Topic.OLD_COMPACTED);
    rows.lax("key, compacted", untrue, LegacyMessage.of(1).keySizeError(500)::toBytes);
    rows.of("message of magic 0 or 1: ends before a field that is needed").to(Topic.OLD_COMPACTED);
    rows.refused(
        "header cut, compacted",
        Reason.RECORD_FIELD_BEYOND_END,
        LegacyMessage.of(1).key(null).value(null).cut(8)::toBytes);
    rows.of("message of magic 0 or 1: a compressed one whose fields are wrong").to(Topic.OLD);
    LegacyMessage[] three = LegacyMessage.several(1, 3);
    rows.refused(
        "value too long",
        Reason.BATCH_FIELD_BEYOND_END,
        LegacyMessage.holding(1, Codec.GZIP, three).valueSizeError(1)::toBytes);
    rows.refused(
        "no value",
        Reason.BATCH_VALUE_MISSING,
        LegacyMessage.of(1).attributes(Codec.GZIP.id()).key(null).value(null)::toBytes);
    rows.refused(
        "zstd",
        Reason.BATCH_CODEC_UNSUPPORTED,
        LegacyMessage.of(1).attributes(Codec.ZSTD.id()).key(null)::toBytes);
    rows.refused(
        "no stream",
        Reason.CODEC_HEADER_INVALID,
        LegacyMessage.of(1).attributes(Codec.GZIP.id()).key(null)::toBytes);
    rows.refused(
        "offset",
        Reason.PAYLOAD_OFFSET_BEYOND_BATCH,
        LegacyMessage.holding(1, Codec.GZIP, three).offset(1)::toBytes);
  }

  private static void inner(Rows rows) {
    byte[] plain = LegacyMessage.join(LegacyMessage.several(1, 3));
    for (Codec codec : CODECS) {
      rows.of("message of magic 0 or 1: messages in a compressed one that are wrong").to(Topic.OLD);
      add(rows, Reason.RECORD_SIZE_TOO_SMALL, codec, size(plain, 13));
      add(rows, Reason.PAYLOAD_EMPTY, codec, new byte[0]);
      add(rows, Reason.RECORD_CRC_MISMATCH, codec, Bytes.damaged(plain, -1));
      byte[] nested = LegacyMessage.holding(1, codec, LegacyMessage.of(1)).toBytes();
      add(rows, Reason.RECORD_COMPRESSED, codec, nested);
      byte[] other = LegacyMessage.of(0).toBytes();
      add(rows, Reason.RECORD_MAGIC_MISMATCH, codec, other);
      rows.of("message of magic 0 or 1: last message in a compressed one that is cut")
          .to(Topic.OLD);
      byte[] cut = Bytes.cut(plain, -1);
      rows.lax("" + codec, Reason.PAYLOAD_MESSAGE_CUT, () -> holding(codec, cut, 1));
      rows.of("message of magic 0 or 1: size far beyond the message").to(Topic.OLD);
      byte[] huge = Bytes.concat(LegacyMessage.of(1).toBytes(), size(plain, Integer.MAX_VALUE));
      rows.lax("" + codec, Reason.PAYLOAD_MESSAGE_CUT, () -> holding(codec, huge, 0))
          .limited(Reason.LIMIT_RECORD_BYTES)
          .crashesStock();
    }
  }

  private static void add(Rows rows, Reason why, Codec codec, byte[] plain) {
    rows.refused(codec + " " + why, why, () -> holding(codec, plain, 0));
  }

  private static byte[] holding(Codec codec, byte[] plain, long lastOffset) {
    return LegacyMessage.holdingPlain(1, codec, plain)
        .offset(lastOffset)
        .timestamp(Batches.nowMs() + lastOffset)
        .toBytes();
  }

  /** Returns a copy whose first message declares another size. */
  private static byte[] size(byte[] plain, int bytes) {
    byte[] copy = plain.clone();
    ByteBuffer.wrap(copy).putInt(BatchLayout.LENGTH_OFFSET, bytes);
    return copy;
  }

  private static void work(Rows rows) {
    for (Codec codec : CODECS) {
      rows.of("message of magic 0 or 1: much content from few bytes").to(Topic.OLD);
      int bytes = (codec == Codec.SNAPPY ? 20 : 50) * MIB;
      rows.sound("" + codec, () -> large(codec, bytes))
          .limited(codec == Codec.SNAPPY ? null : Reason.LIMIT_RECORD_BYTES)
          .crashesStock();
      rows.of("message of magic 0 or 1: a compressed one that holds none").to(Topic.OLD);
      rows.refused(
          "" + codec,
          Reason.CODEC_HEADER_INVALID,
          () -> LegacyMessage.of(1).attributes(codec.id()).key(null).value(new byte[3]).toBytes());
    }
    rows.of("message of magic 0 or 1: many tiny messages in a compressed one").to(Topic.OLD);
    rows.sound("gzip", () -> tiny(Codec.GZIP, 350_000)).crashesStock();
  }

  private static byte[] large(Codec codec, int valueBytes) {
    byte[] plain = LegacyMessage.of(1).value(new byte[valueBytes]).toBytes();
    return holding(codec, plain, 0);
  }

  private static byte[] tiny(Codec codec, int count) {
    byte[] one = LegacyMessage.of(1).key(null).value(null).toBytes();
    byte[] plain = Bytes.repeat(count, one);
    ByteBuffer buffer = ByteBuffer.wrap(plain);
    for (int i = 0; i < count; i++) {
      buffer.putLong(i * one.length, i);
    }
    return LegacyMessage.holdingPlain(1, codec, plain).offset(count - 1L).toBytes();
  }
}
