// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static io.github.batchvalidator.hostile.Rows.ONE;
import static io.github.batchvalidator.hostile.Rows.TWO;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.ZstdFrames;

/** Streams of zstd at the edges of the format. */
final class HostileZstd {
  private static final int LARGEST_BLOCK = 128 << 10;

  private static final byte[] FRAME = Batches.compress(Codec.ZSTD, ONE);
  private static final byte[] SECOND = Batches.compress(Codec.ZSTD, TWO);
  private static final byte[] W20 = ZstdFrames.window(20);
  private static final byte[] LAST = ZstdFrames.raw(true, ONE);
  private static final byte[] SKIPPABLE = ZstdFrames.skippable(7);
  private static final byte[] SUM = ZstdFrames.checksum(ONE);

  private HostileZstd() {}

  static void addTo(Rows rows) {
    rows.codec(Codec.ZSTD);
    frames(rows);
    tails(rows);
    windows(rows);
    descriptors(rows);
    checksums(rows);
    blocks(rows);
  }

  private static void frames(Rows rows) {
    rows.of("zstd: several frames, skippable and empty ones");
    rows.soundStream("two", 2, FRAME, SECOND);
    rows.soundStream("skippable first", 1, SKIPPABLE, FRAME);
    rows.soundStream("skippable between", 2, FRAME, SKIPPABLE, SECOND);
    rows.soundStream("skippable last", 1, FRAME, SKIPPABLE);
    rows.of("zstd: no content");
    rows.refusedStream("nothing", Reason.PAYLOAD_RECORDS_MISSING);
    rows.refusedStream("skippable alone", Reason.PAYLOAD_RECORDS_MISSING, SKIPPABLE);
  }

  private static void tails(Rows rows) {
    rows.of("zstd: last frame that is cut, after a whole one");
    for (int length : new int[] {1, 4, FRAME.length / 2}) {
      byte[] cut = Bytes.cut(FRAME, length);
      rows.laxStream("to " + length, Reason.CODEC_BYTES_LEFT, FRAME, cut);
    }
    rows.laxStream("skippable", Reason.CODEC_BYTES_LEFT, FRAME, Bytes.cut(SKIPPABLE, -1));
    rows.of("zstd: garbage after the last frame");
    rows.refusedStream("zero", Reason.CODEC_DATA_CORRUPT, FRAME, Bytes.of(0));
    rows.refusedStream("garbage", Reason.CODEC_DATA_CORRUPT, FRAME, ONE);
    rows.of("zstd: a stream that ends early");
    Reason cut = Reason.CODEC_DATA_TRUNCATED;
    for (int length : new int[] {1, 4, 6, FRAME.length / 2, FRAME.length - 1}) {
      rows.refusedStream("first " + length, cut, Bytes.cut(FRAME, length));
    }
    byte[] open = ZstdFrames.frame(0, W20, ZstdFrames.raw(false, ONE));
    rows.refusedStream("no last block", cut, open);
    rows.refusedStream("skippable cut", cut, Bytes.cut(SKIPPABLE, -1));
  }

  private static void windows(Rows rows) {
    rows.of("zstd: window as large as Kafka takes, little content");
    for (int log : new int[] {10, 23}) {
      rows.soundStream("2^" + log, 1, ZstdFrames.ofWindowLog(log, ONE));
    }
    rows.soundStream("2^27", 1, ZstdFrames.ofWindowLog(27, ONE)).limited(Reason.LIMIT_CODEC_MEMORY);
    rows.of("zstd: window or content size beyond what Kafka takes");
    Reason corrupt = Reason.CODEC_DATA_CORRUPT;
    for (int log : new int[] {28, 31, 41}) {
      rows.refusedStream("2^" + log, corrupt, ZstdFrames.ofWindowLog(log, ONE));
    }
    byte[] above = Bytes.of(ZstdFrames.window(27)[0] | 1);
    rows.refusedStream("9/8 of 2^27", corrupt, ZstdFrames.frame(0, above, LAST));
    int single = ZstdFrames.SINGLE_SEGMENT | 0xc0;
    for (long size : new long[] {200_000_000, 1L << 40, -1}) {
      byte[] declares = ZstdFrames.frame(single, Bytes.littleEndian(size), LAST);
      rows.refusedStream("content of " + size, corrupt, declares);
    }
  }

  private static void descriptors(Rows rows) {
    rows.of("zstd: unused parts of a header");
    rows.soundStream("bit", 1, ZstdFrames.frame(ZstdFrames.UNUSED_BIT, W20, LAST));
    byte[] none = ZstdFrames.frame(1, Bytes.concat(W20, Bytes.of(0)), LAST);
    rows.soundStream("dictionary 0", 1, none);
    rows.of("zstd: no such header, or one that does not fit its content");
    Reason corrupt = Reason.CODEC_DATA_CORRUPT;
    byte[] dictionary = ZstdFrames.frame(1, Bytes.concat(W20, Bytes.of(5)), LAST);
    rows.refusedStream("dictionary 5", corrupt, dictionary);
    rows.refusedStream("reserved", corrupt, ZstdFrames.frame(ZstdFrames.RESERVED_BIT, W20, LAST));
    rows.refusedStream("magic", corrupt, Bytes.damaged(FRAME, 1));
    for (int error : new int[] {-1, 1}) {
      byte[] fields = Bytes.concat(W20, Bytes.littleEndian(ONE.length + error));
      rows.refusedStream("content size " + error, corrupt, ZstdFrames.frame(0x80, fields, LAST));
    }
  }

  private static void checksums(Rows rows) {
    rows.of("zstd: checksum that is wrong or missing");
    byte[] frame = ZstdFrames.frame(ZstdFrames.CHECKSUM, W20, LAST);
    rows.soundStream("right", 1, frame, SUM);
    rows.refusedStream("wrong", Reason.CODEC_DATA_CORRUPT, frame, Bytes.damaged(SUM, 0));
    rows.refusedStream("missing", Reason.CODEC_DATA_TRUNCATED, frame);
    rows.refusedStream("cut", Reason.CODEC_DATA_TRUNCATED, frame, Bytes.cut(SUM, 3));
  }

  private static void blocks(Rows rows) {
    rows.of("zstd: block that the format does not allow");
    Reason corrupt = Reason.CODEC_DATA_CORRUPT;
    byte[] run =
        Bytes.concat(ZstdFrames.blockHeader(true, ZstdFrames.RLE, LARGEST_BLOCK + 1), Bytes.of(0));
    rows.refusedStream("run", corrupt, ZstdFrames.frame(0, W20, run));
    byte[] type3 = ZstdFrames.blockHeader(true, ZstdFrames.RESERVED_TYPE, 9);
    rows.refusedStream("type", corrupt, ZstdFrames.frame(0, W20, type3, ONE));
    byte[] above = ZstdFrames.raw(true, Rows.records(3));
    rows.refusedStream(
        "above the window", corrupt, ZstdFrames.frame(0, ZstdFrames.window(10), above));
  }
}
