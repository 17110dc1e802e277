// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static io.github.batchvalidator.hostile.Rows.ONE;
import static io.github.batchvalidator.hostile.Rows.TWO;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
import io.github.batchvalidator.testing.streams.Plain;

/** Streams of gzip at the edges of the format. */
final class HostileGzip {
  private static final byte[] MEMBER = GzipStreams.member(ONE);
  private static final byte[] SECOND = GzipStreams.member(TWO);
  private static final byte[] EMPTY = GzipStreams.member(new byte[0]);
  private static final byte[] HEAD = GzipStreams.header(0);
  private static final byte[] DATA = GzipStreams.deflated(ONE);
  private static final byte[] TRAILER = GzipStreams.trailer(ONE);

  private HostileGzip() {}

  static void addTo(Rows rows) {
    rows.codec(Codec.GZIP);
    members(rows);
    headers(rows);
    ends(rows);
    faults(rows);
  }

  private static void members(Rows rows) {
    rows.of("gzip: several members, also empty ones");
    Reason ambiguous = Reason.CODEC_STREAM_AMBIGUOUS;
    rows.lax("two", ambiguous, rows.batch(2, MEMBER, SECOND));
    byte[] large = GzipStreams.member(Rows.records(40));
    byte[] last = GzipStreams.member(Rows.record(40));
    rows.lax("across the input buffer", ambiguous, rows.batch(41, large, last));
    rows.laxStream("empty one before", ambiguous, EMPTY, MEMBER);
    rows.laxStream("empty one behind", ambiguous, MEMBER, EMPTY);
    rows.of("gzip: empty blocks");
    byte[] emptyBlocks = Bytes.repeat(5000, Bytes.of(0, 0, 0, 0xff, 0xff));
    rows.soundStream("empty blocks", 1, HEAD, emptyBlocks, DATA, TRAILER);
    rows.of("gzip: bytes after the last member");
    for (int zeros : new int[] {1, 8, 17, 18}) {
      rows.laxStream(zeros + " zeros", Reason.CODEC_BYTES_LEFT, MEMBER, new byte[zeros]);
    }
    for (int bytes : new int[] {40, 9000}) {
      byte[] garbage = Plain.RANDOM.bytes(bytes);
      rows.laxStream(bytes + " of garbage", Reason.CODEC_BYTES_LEFT, MEMBER, garbage);
    }
    rows.laxStream("lone magic", Reason.CODEC_BYTES_LEFT, MEMBER, Bytes.of(0x1f, 0x8b));
    rows.laxStream("wrong second magic", Reason.CODEC_BYTES_LEFT, MEMBER, Bytes.with(SECOND, 0, 0));
  }

  private static void headers(Rows rows) {
    rows.of("gzip: optional parts of a header");
    byte[] text = GzipStreams.header(GzipStreams.TEXT);
    rows.soundStream("of text", 1, GzipStreams.member(text, ONE));
    byte[] extra = GzipStreams.header(GzipStreams.EXTRA, GzipStreams.extra(65535));
    rows.soundStream("largest extra field", 1, GzipStreams.member(extra, ONE));
    rows.soundStream("every field", 1, GzipStreams.everyField(ONE));
    rows.of("gzip: reserved flags of a header");
    for (int flag : new int[] {0x20, 0x40, 0x80}) {
      byte[] member = GzipStreams.member(GzipStreams.header(flag), ONE);
      rows.laxStream("flag " + flag, Reason.CODEC_STREAM_AMBIGUOUS, member);
    }
    rows.of("gzip: no such header");
    Reason invalid = Reason.CODEC_HEADER_INVALID;
    rows.refusedStream("nothing", invalid);
    rows.refusedStream("cut", invalid, Bytes.cut(HEAD, -1));
    byte[] named = GzipStreams.header(GzipStreams.NAME, GzipStreams.text("a name"));
    rows.refusedStream("name without end", invalid, Bytes.cut(named, -1));
    rows.refusedStream("magic", invalid, Bytes.damaged(MEMBER, 0));
    rows.refusedStream("method", invalid, Bytes.with(MEMBER, 2, 7));
    rows.refusedStream("zlib", invalid, Bytes.of(0x78, 0x9c), DATA);
    rows.refusedStream("raw deflate", invalid, DATA);
    byte[] checked = GzipStreams.checked(GzipStreams.header(GzipStreams.HEADER_CRC));
    byte[] wrong = GzipStreams.member(Bytes.damaged(checked, -1), ONE);
    rows.refusedStream("header checksum", invalid, wrong);
  }

  private static void ends(Rows rows) {
    rows.of("gzip: a stream that ends early");
    Reason cut = Reason.CODEC_DATA_TRUNCATED;
    byte[] half = Bytes.cut(DATA, DATA.length / 2);
    rows.refusedStream("data cut", cut, HEAD, half);
    rows.refusedStream("trailer missing", cut, HEAD, DATA);
    rows.refusedStream("trailer cut", cut, Bytes.cut(MEMBER, -1));
    byte[] secondData = GzipStreams.deflated(TWO);
    byte[] secondHalf = Bytes.cut(secondData, secondData.length / 2);
    rows.refused("second data cut", cut, rows.batch(2, MEMBER, HEAD, secondHalf));
    rows.refused("second trailer cut", cut, rows.batch(2, MEMBER, Bytes.cut(SECOND, -1)));
  }

  private static void faults(Rows rows) {
    rows.of("gzip: checksum or length that is wrong, data that are no deflate");
    rows.refusedStream("checksum", Reason.CODEC_CHECKSUM_MISMATCH, Bytes.damaged(MEMBER, -8));
    rows.refusedStream("length", Reason.CODEC_CHECKSUM_MISMATCH, Bytes.damaged(MEMBER, -4));
    byte[] type3 = Bytes.of(7);
    rows.refusedStream("block type", Reason.CODEC_DATA_CORRUPT, HEAD, type3, TRAILER);
    // a fixed block: the literal 0, then a match of 3 from 4 bytes back
    byte[] tooFar = Bytes.of(0x63, 0x00, 0x23, 0x00);
    rows.refusedStream("distance", Reason.CODEC_DATA_CORRUPT, HEAD, tooFar, TRAILER);
  }
}
