// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static io.github.batchvalidator.internal.codec.StreamCase.accepted;
import static io.github.batchvalidator.internal.codec.StreamCase.refused;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.xerial.snappy.SnappyError;

class SnappyStreamTest extends StreamCaseContract {
  private static final byte[] HEADER = SnappyStreams.HEADER;
  private static final byte[] RAW = SnappyStreams.block(P);
  private static final byte[] CHUNK = SnappyStreams.chunk(RAW);
  private static final byte[] STREAM = SnappyStreams.stream(CHUNK);
  private static final byte[] EMPTY_CHUNK = SnappyStreams.chunk(Bytes.of(0));

  @Override
  Codec codec() {
    return Codec.SNAPPY;
  }

  @Override
  List<StreamCase> cases() {
    List<StreamCase> rows = new ArrayList<>();
    firstHeaders(rows);
    laterHeaders(rows);
    chunks(rows);
    chunkLengths(rows);
    plainLengths(rows);
    return rows;
  }

  private static void firstHeaders(List<StreamCase> rows) {
    for (int version : new int[] {0, -1, 1, 99}) {
      byte[] header = SnappyStreams.header(version, version);
      rows.add(accepted("version " + version, P, header, CHUNK));
    }
    rows.add(accepted("header only", NOTHING, HEADER));
    rows.add(accepted("raw block", P, RAW));
    byte[] few = Bytes.of('a', 'b', 'c');
    rows.add(accepted("raw block of few bytes", few, SnappyStreams.block(few)));
    rows.add(accepted("raw block of nothing", NOTHING, Bytes.of(0)));
    rows.add(refused("raw block and a byte", Reason.CODEC_HEADER_INVALID, RAW, Bytes.of(0)));
    rows.add(refused("raw block cut", Reason.CODEC_HEADER_INVALID, Bytes.cut(RAW, -1)));
    rows.add(refused("nothing", Reason.CODEC_HEADER_INVALID));
    for (int length : new int[] {1, 8, 15}) {
      byte[] cut = Bytes.cut(HEADER, length);
      rows.add(refused("header of " + length, Reason.CODEC_HEADER_INVALID, cut));
    }
    byte[] framing = "\u00ff\u0006\0\0sNaPpY".getBytes(StandardCharsets.ISO_8859_1);
    rows.add(refused("framing format", Reason.CODEC_HEADER_INVALID, framing, CHUNK));
    rows.add(refused("magic wrong", Reason.CODEC_HEADER_INVALID, Bytes.damaged(STREAM, 7)));
  }

  private static void laterHeaders(List<StreamCase> rows) {
    rows.add(accepted("two streams", PP, STREAM, STREAM));
    rows.add(accepted("two headers", P, HEADER, STREAM));
    rows.add(accepted("header last", P, STREAM, HEADER));
    rows.add(accepted("later version 99", PP, STREAM, SnappyStreams.header(99, 0), CHUNK));
    rows.add(
        accepted("300 headers, one behind the other", P, Bytes.repeat(300, HEADER), CHUNK)
            .withoutKafka("Kafka calls itself for each header"));
    for (int version : new int[] {0, -1}) {
      byte[] header = SnappyStreams.header(version, 1);
      String name = "later version " + version;
      rows.add(refused(name, Reason.CODEC_DATA_CORRUPT, STREAM, header, CHUNK));
    }
    byte[] half = Bytes.cut(HEADER, 8);
    rows.add(refused("later header cut", Reason.CODEC_DATA_TRUNCATED, STREAM, half));
    byte[] odd = Bytes.damaged(HEADER, 5);
    rows.add(accepted("later header of a wrong second half", PP, STREAM, odd, CHUNK));
    rows.add(
        accepted("wrong second half at once", P, HEADER, odd, CHUNK).whereKafkaEndsEarly(NOTHING));
  }

  private static void chunks(List<StreamCase> rows) {
    rows.add(accepted("two chunks", PP, STREAM, CHUNK));
    for (int bytes = 1; bytes < 4; bytes++) {
      rows.add(accepted(bytes + " bytes behind", P, STREAM, Bytes.filled(bytes, 0xee)));
    }
    rows.add(accepted("empty chunk first", P, HEADER, EMPTY_CHUNK, CHUNK));
    rows.add(accepted("empty chunk last", P, STREAM, EMPTY_CHUNK));
    byte[] many = Bytes.repeat(300, EMPTY_CHUNK);
    rows.add(
        accepted("300 empty chunks", P, HEADER, many, CHUNK)
            .withoutKafka("some versions call themselves for each"));
    rows.add(badBlock("copy from before the start", Bytes.of(8, 0x00, 'a', 0x0d, 2)));
    rows.add(badBlock("copy offset 0", Bytes.of(8, 0x00, 'a', 0x0d, 0)));
    rows.add(badBlock("literal cut", Bytes.of(8, 0x1c, 'a')));
    rows.add(badBlock("longer than it says", Bytes.of(1, 0x04, 'a', 'b')));
    rows.add(badBlock("shorter than it says", Bytes.of(3, 0x04, 'a', 'b')));
  }

  private static StreamCase badBlock(String name, byte[] block) {
    byte[] chunk = SnappyStreams.chunk(block);
    return refused(name, Reason.CODEC_DATA_CORRUPT, STREAM, chunk, CHUNK);
  }

  private static void chunkLengths(List<StreamCase> rows) {
    byte[] zero = new byte[4];
    rows.add(refused("chunk length 0 last", Reason.CODEC_DATA_CORRUPT, STREAM, zero));
    rows.add(refused("chunk length 0", Reason.CODEC_DATA_CORRUPT, HEADER, zero, CHUNK));
    rows.add(refused("chunk cut", Reason.CODEC_DATA_TRUNCATED, Bytes.cut(STREAM, -1)));
    byte[] more = Bytes.bigEndian(RAW.length + 1);
    rows.add(refused("one byte more", Reason.CODEC_DATA_TRUNCATED, HEADER, more, RAW));
    byte[] less = Bytes.bigEndian(RAW.length - 1);
    rows.add(refused("one byte less", Reason.CODEC_DATA_CORRUPT, HEADER, less, RAW));
    rows.add(
        refused("chunk length above 512 MiB", Reason.CODEC_DATA_TRUNCATED, STREAM, big(0x20000001))
            .whereKafkaThrows(SnappyError.class));
    rows.add(
        refused("chunk length negative", Reason.CODEC_DATA_CORRUPT, STREAM, big(-2))
            .whereKafkaThrows(SnappyError.class));
    rows.add(
        refused("chunk length of 100 MiB", Reason.CODEC_DATA_TRUNCATED, STREAM, big(100 << 20))
            .withoutKafka("Kafka allocates it first"));
  }

  private static byte[] big(int length) {
    return Bytes.concat(Bytes.bigEndian(length), RAW);
  }

  private static void plainLengths(List<StreamCase> rows) {
    String why = "Kafka allocates what is declared, or fails to";
    long[] lengths = {1 << 20, 100 << 20, Integer.MAX_VALUE, 1L << 31, 0xFFFFFFFFL};
    for (long length : lengths) {
      byte[] chunk =
          SnappyStreams.chunk(Bytes.concat(SnappyStreams.unsignedVarint(length), new byte[2]));
      String name = "declares " + length;
      rows.add(refused(name, Reason.CODEC_DATA_CORRUPT, STREAM, chunk).withoutKafka(why));
    }
    byte[] tooLong = SnappyStreams.chunk(SnappyStreams.unsignedVarint(1L << 32));
    rows.add(refused("declares 33 bits", Reason.CODEC_DATA_CORRUPT, STREAM, tooLong));
    byte[] endless = SnappyStreams.chunk(Bytes.filled(10, 0x80));
    rows.add(refused("length without end", Reason.CODEC_DATA_CORRUPT, STREAM, endless));
    byte[] overlong = Bytes.concat(Bytes.of(0x81, 0x80, 0x00), Bytes.of(0x00, 'a'));
    byte[] chunk = SnappyStreams.chunk(overlong);
    rows.add(accepted("length of more bytes than needed", Bytes.of('a'), HEADER, chunk));
    // copies of 64 bytes: the largest ratio there is
    byte[] copies = Bytes.repeat(1000, Bytes.of(0xfe, 1, 0));
    byte[] dense = Bytes.concat(SnappyStreams.unsignedVarint(64_001), Bytes.of(0x00, 'a'), copies);
    byte[] all = Bytes.filled(64_001, 'a');
    rows.add(accepted("largest ratio", all, SnappyStreams.stream(SnappyStreams.chunk(dense))));
  }
}
