// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static io.github.batchvalidator.internal.codec.StreamCase.accepted;
import static io.github.batchvalidator.internal.codec.StreamCase.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.gzip.GzipDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
import io.github.batchvalidator.testing.streams.Plain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GzipStreamTest extends StreamCaseContract {
  private static final byte[] MEMBER = GzipStreams.member(P);
  private static final byte[] EMPTY = GzipStreams.member(NOTHING);
  private static final byte[] HEAD = GzipStreams.header(0);
  private static final byte[] DATA = GzipStreams.deflated(P);
  private static final byte[] TRAILER = GzipStreams.trailer(P);

  @Override
  Codec codec() {
    return Codec.GZIP;
  }

  @Override
  List<StreamCase> cases() {
    List<StreamCase> rows = new ArrayList<>();
    members(rows);
    headers(rows);
    faults(rows);
    return rows;
  }

  private static void members(List<StreamCase> rows) {
    rows.add(accepted("two members", PP, MEMBER, MEMBER));
    rows.add(accepted("200 members", Bytes.repeat(200, P), Bytes.repeat(200, MEMBER)));
    rows.add(accepted("empty member", NOTHING, EMPTY));
    rows.add(accepted("empty member before", P, EMPTY, MEMBER));
    rows.add(accepted("empty member behind", P, MEMBER, EMPTY));
    for (int zeros : new int[] {1, 8, 17, 18, 19, 40}) {
      rows.add(accepted(zeros + " zeros behind", P, MEMBER, new byte[zeros]));
    }
    for (int bytes : new int[] {40, 100, 9000}) {
      byte[] garbage = Plain.RANDOM.bytes(bytes);
      rows.add(accepted(bytes + " bytes of garbage behind", P, MEMBER, garbage));
    }
    rows.add(accepted("lone magic behind", P, MEMBER, Bytes.of(0x1f, 0x8b)));
    rows.add(accepted("second magic wrong", P, MEMBER, Bytes.with(MEMBER, 0, 0)));
    rows.add(accepted("second method wrong", P, MEMBER, Bytes.with(MEMBER, 2, 7)));
    rows.add(
        GzipStreams.jdkRefusesBareHeaders()
            ? refused("bare header behind", Reason.CODEC_DATA_TRUNCATED, MEMBER, HEAD)
            : accepted("bare header behind", P, MEMBER, HEAD));
    rows.add(
        accepted("2000 empty members, one behind the other", NOTHING, Bytes.repeat(2000, EMPTY))
            .withoutKafka("Kafka calls itself for each member"));
    rows.add(refused("second data cut", Reason.CODEC_DATA_TRUNCATED, MEMBER, HEAD, cut(DATA)));
    rows.add(
        refused("second trailer cut", Reason.CODEC_DATA_TRUNCATED, MEMBER, Bytes.cut(MEMBER, -1)));
    rows.add(refused("second checksum wrong", Reason.CODEC_CHECKSUM_MISMATCH, MEMBER, badAt(-8)));
  }

  private static byte[] cut(byte[] bytes) {
    return Bytes.cut(bytes, bytes.length / 2);
  }

  private static byte[] badAt(int at) {
    return Bytes.damaged(MEMBER, at);
  }

  private static void headers(List<StreamCase> rows) {
    for (int flag : new int[] {GzipStreams.TEXT, 0x20, 0x40, 0x80}) {
      byte[] header = GzipStreams.header(flag);
      rows.add(accepted("flag " + flag, P, GzipStreams.member(header, P)));
    }
    for (int bytes : new int[] {0, 1, 65535}) {
      byte[] header = GzipStreams.header(GzipStreams.EXTRA, GzipStreams.extra(bytes));
      rows.add(accepted("extra of " + bytes, P, GzipStreams.member(header, P)));
    }
    byte[] named = GzipStreams.header(GzipStreams.NAME, GzipStreams.text("a name"));
    rows.add(accepted("name", P, GzipStreams.member(named, P)));
    byte[] comment = GzipStreams.header(GzipStreams.COMMENT, GzipStreams.text(""));
    rows.add(accepted("empty comment", P, GzipStreams.member(comment, P)));
    rows.add(accepted("every field", P, GzipStreams.everyField(P)));
    byte[] checked = GzipStreams.checked(GzipStreams.header(GzipStreams.HEADER_CRC));
    rows.add(accepted("header checksum", P, GzipStreams.member(checked, P)));
    byte[] wrong = GzipStreams.member(Bytes.damaged(checked, -1), P);
    rows.add(refused("header checksum wrong", Reason.CODEC_HEADER_INVALID, wrong));
    rows.add(refused("name without end", Reason.CODEC_HEADER_INVALID, Bytes.cut(named, -1)));
    byte[] extra = GzipStreams.header(GzipStreams.EXTRA, GzipStreams.extra(9));
    rows.add(refused("extra cut", Reason.CODEC_HEADER_INVALID, Bytes.cut(extra, -1)));
    rows.add(refused("extra length cut", Reason.CODEC_HEADER_INVALID, Bytes.cut(extra, -10)));
    rows.add(refused("header checksum cut", Reason.CODEC_HEADER_INVALID, Bytes.cut(checked, -1)));
  }

  private static void faults(List<StreamCase> rows) {
    rows.add(refused("nothing", Reason.CODEC_HEADER_INVALID));
    rows.add(refused("header cut", Reason.CODEC_HEADER_INVALID, Bytes.cut(HEAD, -1)));
    rows.add(refused("magic wrong", Reason.CODEC_HEADER_INVALID, badAt(0)));
    rows.add(refused("method wrong", Reason.CODEC_HEADER_INVALID, Bytes.with(MEMBER, 2, 7)));
    rows.add(refused("raw deflate", Reason.CODEC_HEADER_INVALID, DATA));
    rows.add(refused("zlib", Reason.CODEC_HEADER_INVALID, Bytes.of(0x78, 0x9c), DATA));
    rows.add(refused("header alone", Reason.CODEC_DATA_TRUNCATED, HEAD));
    rows.add(refused("data cut", Reason.CODEC_DATA_TRUNCATED, HEAD, cut(DATA)));
    rows.add(refused("trailer missing", Reason.CODEC_DATA_TRUNCATED, HEAD, DATA));
    rows.add(refused("trailer cut", Reason.CODEC_DATA_TRUNCATED, Bytes.cut(MEMBER, -1)));
    rows.add(refused("checksum wrong", Reason.CODEC_CHECKSUM_MISMATCH, badAt(-8)));
    rows.add(refused("size wrong", Reason.CODEC_CHECKSUM_MISMATCH, badAt(-4)));
    rows.add(refused("block type 3", Reason.CODEC_DATA_CORRUPT, HEAD, Bytes.of(7), TRAILER));
    // a fixed block: the literal 0, then a match of 3 from 4 bytes back
    byte[] tooFar = Bytes.of(0x63, 0x00, 0x23, 0x00);
    rows.add(refused("distance too far", Reason.CODEC_DATA_CORRUPT, HEAD, tooFar, TRAILER));
    byte[] emptyBlocks = Bytes.repeat(5000, Bytes.of(0, 0, 0, 0xff, 0xff));
    rows.add(accepted("5000 empty blocks first", P, HEAD, emptyBlocks, DATA, TRAILER));
  }

  /** A batch whose first record is at fault is then refused before the rest is inflated. */
  @Test
  void firstPieceIsSmall() {
    byte[] stored = GzipStreams.member(Plain.JSON.bytes(2 * GzipDecoder.WINDOW_BYTES));
    Payload payload = new Payload();
    payload.wrap(ByteBuffer.wrap(stored), 0, stored.length);
    ByteWindow window = new ByteWindow();
    List<Integer> pieces = new ArrayList<>();
    try (Decoders decoders = WindowDecoders.fastest(gzip())) {
      DecoderContract.decoder(decoders, Codec.GZIP)
          .open(payload, Limits.UNBOUNDED_AS_KAFKA, window);
      while (window.refill()) {
        pieces.add(window.available());
        window.position(window.limit());
      }
    }
    assertEquals(List.of(4 << 10, 64 << 10, 60 << 10), pieces);
  }

  /** Kafka reads its input in pieces of 8 KiB: a member may end anywhere in or between them. */
  @Test
  void membersMeetAroundTheBorderOfKafkasInput() {
    try (Decoders decoders = WindowDecoders.fastest(gzip())) {
      PayloadDecoder decoder = DecoderContract.decoder(decoders, Codec.GZIP);
      for (int size = 8192 - 60; size < 8192 + 10; size++) {
        byte[] first = GzipStreams.member(Plain.RANDOM.bytes(size));
        for (byte[] second : new byte[][] {EMPTY, MEMBER, new byte[30], Bytes.cut(MEMBER, 40)}) {
          byte[] stored = Bytes.concat(first, second);
          Outcome outcome = Outcome.of(decoder, stored);
          Outcome kafka = Outcome.ofKafka(Codec.GZIP, stored);
          assertTrue(outcome.agreesWith(kafka), () -> outcome + " and " + kafka);
        }
      }
    }
  }
}
