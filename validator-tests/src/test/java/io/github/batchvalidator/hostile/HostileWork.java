// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static io.github.batchvalidator.hostile.Rows.ONE;
import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.hostile.HostileInput.Topic;
import io.github.batchvalidator.lines.Bombs;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
import io.github.batchvalidator.testing.streams.Lz4Frames;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import io.github.batchvalidator.testing.streams.ZstdFrames;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;

/** Batches that cost more memory, stack or time than their size suggests. */
final class HostileWork {
  private static final int MIB = 1 << 20;
  private static final int ZSTD_BLOCK = 128 << 10;
  private static final int LZ4_BLOCK = 4 << 20;

  private static final byte[] NONE = {};
  private static final byte[] NULL = varint(-1, 1);

  private HostileWork() {}

  static List<Codec> codecs() {
    return Arrays.stream(Codec.values()).filter(codec -> codec != Codec.NONE).toList();
  }

  static void addTo(Rows rows) {
    content(rows);
    tinyRecords(rows);
    tinyParts(rows);
    declared(rows);
    windows(rows);
  }

  private static void content(Rows rows) {
    rows.of("much content from few bytes");
    rows.sound("zstd, a thousand times Kafka's largest batch", () -> zstdRuns(20, 64, 16 * MIB))
        .limited(Reason.LIMIT_RATIO);
    rows.sound(
            "gzip",
            () -> Batches.ofPayload(Codec.GZIP, 1, Bombs.compressed(Codec.GZIP, 30 * MIB)).array())
        .limited(Reason.LIMIT_RATIO);
    rows.sound("lz4", () -> lz4Zeros(13, 16 * MIB)).limited(Reason.LIMIT_PLAIN_BYTES);
    rows.sound("snappy", () -> snappyZeros(20 * MIB, MIB));
    rows.of("one record that is larger than a heap");
    rows.sound("zstd", () -> zstdRuns(20, 1, 1024 * MIB))
        .limited(Reason.LIMIT_RECORD_BYTES)
        .crashesStock();
    rows.sound("lz4", () -> lz4Zeros(1, 100 * MIB))
        .limited(Reason.LIMIT_RECORD_BYTES)
        .crashesStock();
    rows.of("one block as large as it can be");
    rows.sound("snappy", () -> snappyZeros(20 * MIB, 20 * MIB))
        .limited(Reason.LIMIT_CODEC_MEMORY)
        .crashesStock();
  }

  private static void tinyRecords(Rows rows) {
    rows.of("many tiny records");
    rows.refused("all alike", Reason.RECORD_OFFSET_UNEXPECTED, HostileWork::alike)
        .limited(Reason.LIMIT_RECORDS)
        .crashesStock();
    rows.sound("in sequence", () -> sequence(1_000_000)).crashesStock();
    rows.of("many records that each are at fault").to(Topic.COMPACTED);
    rows.refused("without key", Reason.RECORD_KEY_MISSING, () -> sequence(500_000)).crashesStock();
    rows.of("many tiny headers in one record");
    rows.sound("empty ones", () -> headers(10_000_000))
        .limited(Reason.LIMIT_HEADERS)
        .crashesStock();
  }

  private static void tinyParts(Rows rows) {
    rows.of("many tiny members or headers of a stream");
    byte[] emptyMember = GzipStreams.member(NONE);
    byte[] members = Bytes.repeat(50_000, emptyMember);
    Reason ambiguous = Reason.CODEC_STREAM_AMBIGUOUS;
    rows.codec(Codec.GZIP)
        .laxStream("gzip", ambiguous, members, GzipStreams.member(ONE))
        .crashesStock();
    byte[] header = SnappyStreams.header(1, 1);
    byte[] chunk = SnappyStreams.chunk(SnappyStreams.block(ONE));
    rows.codec(Codec.SNAPPY)
        .laxStream("snappy", ambiguous, Bytes.repeat(60_000, header), chunk)
        .crashesStock();
    rows.of("many tiny frames, chunks or blocks of a stream");
    byte[] w20 = ZstdFrames.window(20);
    byte[] emptyFrame = ZstdFrames.frame(0, w20, ZstdFrames.raw(true, NONE));
    rows.codec(Codec.ZSTD)
        .soundStream(
            "zstd frames", 1, Bytes.repeat(20_000, emptyFrame), ZstdFrames.ofWindowLog(20, ONE));
    byte[] emptyBlocks = Bytes.repeat(100_000, ZstdFrames.raw(false, NONE));
    rows.soundStream(
        "zstd blocks", 1, ZstdFrames.frame(0, w20, emptyBlocks, ZstdFrames.raw(true, ONE)));
    byte[] skippable = Bytes.repeat(50_000, ZstdFrames.skippable(0));
    rows.soundStream("zstd skippable", 1, skippable, ZstdFrames.ofWindowLog(20, ONE));
    rows.codec(Codec.LZ4).soundStream("lz4 blocks", 100, oneByteBlocks(Rows.records(100)));
    byte[] emptyChunk = SnappyStreams.chunk(Bytes.of(0));
    rows.codec(Codec.SNAPPY)
        .soundStream("snappy chunks", 1, header, Bytes.repeat(50_000, emptyChunk), chunk);
  }

  private static void declared(Rows rows) {
    rows.of("record count far beyond the records");
    for (Codec codec : Codec.values()) {
      rows.refused(
              "" + codec,
              Reason.PAYLOAD_RECORDS_MISSING,
              () -> Batches.ofPlain(codec, Integer.MAX_VALUE, ONE).array())
          .limited(Reason.LIMIT_RECORDS);
    }
    rows.of("record length far beyond the record");
    byte[] record = new RecordBytes().length(varint(Integer.MAX_VALUE, 1)).toBytes();
    for (Codec codec : codecs()) {
      rows.lax(
              "" + codec,
              Reason.RECORD_LENGTH_UNTRUE,
              () -> Batches.ofPlain(codec, 1, record).array())
          .limited(Reason.LIMIT_RECORD_BYTES)
          .crashesStock();
    }
    rows.of("block length far beyond the block");
    for (long length : new long[] {100 << 20, Integer.MAX_VALUE, 1L << 31, 0xFFFFFFFFL}) {
      byte[] chunk =
          SnappyStreams.chunk(Bytes.concat(SnappyStreams.unsignedVarint(length), new byte[2]));
      rows.codec(Codec.SNAPPY)
          .refusedStream(
              "snappy " + length, Reason.CODEC_DATA_CORRUPT, SnappyStreams.header(1, 1), chunk)
          .crashesStock();
    }
    rows.refusedStream(
            "snappy chunk",
            Reason.CODEC_DATA_TRUNCATED,
            SnappyStreams.header(1, 1),
            Bytes.bigEndian(100 << 20),
            SnappyStreams.block(ONE))
        .crashesStock();
  }

  private static void windows(Rows rows) {
    rows.of("large window that is used");
    rows.sound("zstd", () -> zstdRuns(27, 13, 16 * MIB)).limited(Reason.LIMIT_CODEC_MEMORY);
    rows.of("skippable frame of 4 GiB");
    byte[] endless =
        Bytes.concat(Bytes.cut(ZstdFrames.skippable(0), 4), Bytes.filled(4, 0xff), ONE);
    rows.codec(Codec.ZSTD).refusedStream("zstd", Reason.CODEC_DATA_TRUNCATED, endless);
  }

  /** Returns the bytes before and after the value of an honest record with a value of this size. */
  private static byte[][] around(int offsetDelta, int valueBytes) {
    RecordBytes record =
        new RecordBytes().offsetDelta(varint(offsetDelta, 1)).value(varint(valueBytes, 1), NONE);
    byte[] whole = record.lengthError(valueBytes).toBytes();
    return new byte[][] {Bytes.cut(whole, -1), {whole[whole.length - 1]}};
  }

  /** Returns a batch of so many records of one byte over and over. */
  private static byte[] zstdRuns(int windowLog, int records, int valueBytes) {
    byte[] run =
        Bytes.concat(ZstdFrames.blockHeader(false, ZstdFrames.RLE, ZSTD_BLOCK), Bytes.of('r'));
    byte[] runs = Bytes.repeat(valueBytes / ZSTD_BLOCK, run);
    ByteArrayOutputStream blocks = new ByteArrayOutputStream();
    for (int i = 0; i < records; i++) {
      byte[][] around = around(i, valueBytes);
      blocks.writeBytes(ZstdFrames.raw(false, around[0]));
      blocks.writeBytes(runs);
      blocks.writeBytes(ZstdFrames.raw(i == records - 1, around[1]));
    }
    byte[] frame = ZstdFrames.frame(0, ZstdFrames.window(windowLog), blocks.toByteArray());
    return Batches.ofPayload(Codec.ZSTD, records, frame).array();
  }

  private static byte[] lz4Zeros(int records, int valueBytes) {
    byte[] block = Lz4Frames.compressed(new byte[LZ4_BLOCK]);
    ByteArrayOutputStream blocks = new ByteArrayOutputStream();
    for (int i = 0; i < records; i++) {
      byte[][] around = around(i, valueBytes);
      blocks.writeBytes(Lz4Frames.stored(around[0]));
      blocks.writeBytes(Bytes.repeat(valueBytes / LZ4_BLOCK, block));
      blocks.writeBytes(Lz4Frames.stored(around[1]));
    }
    byte[] frame = Lz4Frames.frame(0, 7, blocks.toByteArray(), new byte[Integer.BYTES]);
    return Batches.ofPayload(Codec.LZ4, records, frame).array();
  }

  private static byte[] snappyZeros(int valueBytes, int blockBytes) {
    byte[][] around = around(0, valueBytes);
    byte[] chunk = SnappyStreams.chunk(SnappyStreams.block(new byte[blockBytes]));
    byte[] stream =
        Bytes.concat(
            SnappyStreams.header(1, 1),
            SnappyStreams.chunk(SnappyStreams.block(around[0])),
            Bytes.repeat(valueBytes / blockBytes, chunk),
            SnappyStreams.chunk(SnappyStreams.block(around[1])));
    return Batches.ofPayload(Codec.SNAPPY, 1, stream).array();
  }

  private static byte[] oneByteBlocks(byte[] plain) {
    ByteArrayOutputStream blocks = new ByteArrayOutputStream();
    for (byte each : plain) {
      blocks.writeBytes(Lz4Frames.stored(new byte[] {each}));
    }
    return Lz4Frames.frame(0, Lz4Frames.MAX_64K, blocks.toByteArray(), new byte[Integer.BYTES]);
  }

  private static RecordBytes tiny() {
    return new RecordBytes().key(NULL, NONE).value(NULL, NONE);
  }

  private static byte[] alike() {
    int count = 5_000_000;
    return Batches.ofPlain(Codec.ZSTD, count, Bytes.repeat(count, tiny().toBytes())).array();
  }

  private static byte[] sequence(int count) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      plain.writeBytes(tiny().offsetDelta(varint(i, 1)).toBytes());
    }
    return Batches.ofPlain(Codec.ZSTD, count, plain.toByteArray()).array();
  }

  private static byte[] headers(int count) {
    byte[] all = Bytes.repeat(count, Bytes.concat(varint(0, 1), NULL));
    byte[] record = new RecordBytes().headerCount(varint(count, 1)).headerPart(NONE, all).toBytes();
    return Batches.ofPlain(Codec.ZSTD, 1, record).array();
  }
}
