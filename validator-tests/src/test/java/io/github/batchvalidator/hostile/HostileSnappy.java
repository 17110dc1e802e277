// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static io.github.batchvalidator.hostile.Rows.ONE;
import static io.github.batchvalidator.hostile.Rows.TWO;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.nio.charset.StandardCharsets;

/** Streams of Snappy at the edges of the format. */
final class HostileSnappy {
  private static final byte[] HEADER = SnappyStreams.header(1, 1);
  private static final byte[] RAW = SnappyStreams.block(ONE);
  private static final byte[] CHUNK = SnappyStreams.chunk(RAW);
  private static final byte[] SECOND = SnappyStreams.chunk(SnappyStreams.block(TWO));
  private static final byte[] STREAM = Bytes.concat(HEADER, CHUNK);
  private static final byte[] EMPTY_CHUNK = SnappyStreams.chunk(Bytes.of(0));

  private HostileSnappy() {}

  static void addTo(Rows rows) {
    rows.codec(Codec.SNAPPY);
    headers(rows);
    laterHeaders(rows);
    chunks(rows);
    blocks(rows);
  }

  private static void headers(Rows rows) {
    rows.of("snappy: first header of any version, or none at all");
    for (int version : new int[] {0, -1, 99}) {
      rows.soundStream("" + version, 1, SnappyStreams.header(version, version), CHUNK);
    }
    rows.soundStream("raw block", 1, RAW);
    rows.of("snappy: neither header nor raw block");
    Reason invalid = Reason.CODEC_HEADER_INVALID;
    rows.refusedStream("nothing", invalid);
    rows.refusedStream("raw block and a byte", invalid, RAW, Bytes.of(0));
    rows.refusedStream("raw block cut", invalid, Bytes.cut(RAW, -1));
    rows.refusedStream("first 8", invalid, Bytes.cut(HEADER, 8));
    rows.refusedStream("first 15", invalid, Bytes.cut(HEADER, 15));
    byte[] framing = "\u00ff\u0006\0\0sNaPpY".getBytes(StandardCharsets.ISO_8859_1);
    rows.refusedStream("other framing", invalid, framing, CHUNK);
    rows.of("snappy: header and nothing after it");
    rows.refusedStream("header", Reason.PAYLOAD_RECORDS_MISSING, HEADER);
  }

  private static void laterHeaders(Rows rows) {
    Reason ambiguous = Reason.CODEC_STREAM_AMBIGUOUS;
    rows.of("snappy: several streams");
    rows.lax("two", ambiguous, rows.batch(2, STREAM, HEADER, SECOND));
    rows.laxStream("two headers", ambiguous, HEADER, STREAM);
    byte[] version99 = SnappyStreams.header(99, 0);
    rows.lax("later version 99", ambiguous, rows.batch(2, STREAM, version99, SECOND));
    rows.of("snappy: later header that is wrong");
    byte[] version0 = SnappyStreams.header(0, 1);
    rows.refusedStream("version", Reason.CODEC_DATA_CORRUPT, STREAM, version0, SECOND);
    rows.refusedStream("cut", Reason.CODEC_DATA_TRUNCATED, STREAM, Bytes.cut(HEADER, 8));
    rows.of("snappy: later header whose second half is wrong");
    byte[] odd = Bytes.damaged(HEADER, 5);
    rows.laxStream("at once", ambiguous, HEADER, odd, CHUNK);
    rows.lax("behind a chunk", ambiguous, rows.batch(2, STREAM, odd, SECOND));
  }

  private static void chunks(Rows rows) {
    rows.of("snappy: bytes after the last chunk");
    for (int bytes = 1; bytes < 4; bytes++) {
      rows.laxStream("" + bytes, Reason.CODEC_BYTES_LEFT, STREAM, Bytes.filled(bytes, 0xee));
    }
    rows.of("snappy: chunk without content");
    rows.soundStream("first", 1, HEADER, EMPTY_CHUNK, CHUNK);
    rows.soundStream("last", 1, STREAM, EMPTY_CHUNK);
    rows.of("snappy: wrong chunk length");
    Reason corrupt = Reason.CODEC_DATA_CORRUPT;
    Reason cut = Reason.CODEC_DATA_TRUNCATED;
    rows.refusedStream("0, last", corrupt, STREAM, new byte[4]);
    rows.refusedStream("0, first", corrupt, HEADER, new byte[4], CHUNK);
    rows.refusedStream("one more", cut, HEADER, Bytes.bigEndian(RAW.length + 1), RAW);
    rows.refusedStream("one less", corrupt, HEADER, Bytes.bigEndian(RAW.length - 1), RAW);
    rows.refusedStream("chunk cut", cut, Bytes.cut(STREAM, -1));
    rows.of("snappy: chunk length negative or far beyond the batch");
    rows.refusedStream("negative", corrupt, HEADER, Bytes.bigEndian(-2), RAW);
    rows.refusedStream("large", cut, HEADER, Bytes.bigEndian(0x20000001), RAW);
  }

  private static void blocks(Rows rows) {
    rows.of("snappy: copies and lengths that lead out of the block");
    block(rows, "copy from before the start", Bytes.of(8, 0x00, 'a', 0x0d, 2));
    block(rows, "copy offset 0", Bytes.of(8, 0x00, 'a', 0x0d, 0));
    block(rows, "literal cut", Bytes.of(8, 0x1c, 'a'));
    block(rows, "longer than declared", Bytes.of(1, 0x04, 'a', 'b'));
    block(rows, "shorter than declared", Bytes.of(3, 0x04, 'a', 'b'));
    block(rows, "length without end", Bytes.filled(10, 0x80));
  }

  private static void block(Rows rows, String name, byte[] block) {
    rows.refusedStream(name, Reason.CODEC_DATA_CORRUPT, HEADER, SnappyStreams.chunk(block), CHUNK);
  }
}
