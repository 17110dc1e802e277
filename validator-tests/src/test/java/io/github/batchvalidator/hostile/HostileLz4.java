// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static io.github.batchvalidator.hostile.Rows.ONE;
import static io.github.batchvalidator.hostile.Rows.TWO;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Lz4Frames;
import io.github.batchvalidator.testing.streams.Plain;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Streams of lz4 at the edges of the format. */
final class HostileLz4 {
  private static final int ID_64K = Lz4Frames.MAX_64K;
  private static final int BYTES_64K = 64 << 10;

  private static final byte[] HEAD = Lz4Frames.frame(0, ID_64K);
  private static final byte[] BLOCK = Lz4Frames.compressed(ONE);
  private static final byte[] SECOND = Lz4Frames.compressed(TWO);
  private static final byte[] END = new byte[Integer.BYTES];
  private static final byte[] FRAME = Bytes.concat(HEAD, BLOCK, END);
  private static final byte[] SKIPPABLE =
      Bytes.concat(Bytes.littleEndian(0x184D2A50), Bytes.littleEndian(3), new byte[3]);

  /** A token without literals and without a match. */
  private static final byte[] EMPTY_BLOCK = Lz4Frames.block(Bytes.of(0));

  private HostileLz4() {}

  static void addTo(Rows rows) {
    rows.codec(Codec.LZ4);
    headers(rows);
    descriptors(rows);
    checksums(rows);
    ends(rows);
    blocks(rows);
    sequences(rows);
  }

  private static void headers(Rows rows) {
    rows.of("lz4: no such frame");
    Reason invalid = Reason.CODEC_HEADER_INVALID;
    rows.refusedStream("skippable frame first", invalid, SKIPPABLE, FRAME);
    rows.refusedStream("older format", invalid, Bytes.littleEndian(0x184C2102), BLOCK);
    rows.refusedStream("bare block", invalid, BLOCK);
    byte[] other = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
    rows.refusedStream("other block format", invalid, other, BLOCK);
    for (int length : new int[] {0, 1, 5, 6}) {
      rows.refusedStream("first " + length, invalid, Bytes.cut(FRAME, length));
    }
    byte[] sized = Lz4Frames.frame(Lz4Frames.CONTENT_SIZE, ID_64K);
    rows.refusedStream("content size cut", invalid, Bytes.cut(sized, -5));
  }

  private static void descriptors(Rows rows) {
    rows.of("lz4: descriptor that Kafka's reader does not take, or with a wrong checksum");
    int good = Lz4Frames.VERSION_1 | Lz4Frames.INDEPENDENT;
    descriptor(rows, Lz4Frames.VERSION_1, 0x40);
    descriptor(rows, good | 1, 0x40);
    descriptor(rows, good | 2, 0x40);
    descriptor(rows, Lz4Frames.INDEPENDENT, 0x40);
    descriptor(rows, 2 << 6 | Lz4Frames.INDEPENDENT, 0x40);
    for (int bd : new int[] {0, 0x30, 0x41, 0x48, 0xc0}) {
      descriptor(rows, good, bd);
    }
    rows.refusedStream(
        "checksum", Reason.CODEC_HEADER_INVALID, Bytes.damaged(FRAME, HEAD.length - 1));
    rows.of("lz4: any block size, wrong content size");
    for (int id = ID_64K; id < 8; id++) {
      rows.soundStream("block size " + id, 1, Lz4Frames.frame(0, id, BLOCK, END));
    }
    byte[] sized = Lz4Frames.frame(Lz4Frames.CONTENT_SIZE, ID_64K, BLOCK, END);
    rows.soundStream("content size wrong", 1, sized);
    byte[] huge =
        Lz4Frames.header(
            good | Lz4Frames.CONTENT_SIZE, ID_64K << 4, Bytes.littleEndian(Long.MAX_VALUE));
    rows.soundStream("content size beyond all memory", 1, huge, BLOCK, END);
  }

  private static void descriptor(Rows rows, int flg, int bd) {
    rows.refusedStream(
        flg + " " + bd,
        Reason.CODEC_HEADER_INVALID,
        Lz4Frames.header(flg, bd, new byte[0]),
        BLOCK,
        END);
  }

  private static void checksums(Rows rows) {
    rows.of("lz4: checksum that is wrong or missing");
    byte[] content = Lz4Frames.frame(Lz4Frames.CONTENT_CHECKSUM, ID_64K, BLOCK, END);
    byte[] sum = Bytes.littleEndian(Lz4Frames.hash(ONE));
    rows.soundStream("content checksum right", 1, content, sum);
    rows.laxStream(
        "content checksum wrong",
        Reason.CODEC_CONTENT_CHECKSUM_WRONG,
        content,
        Bytes.damaged(sum, 0));
    Reason missing = Reason.CODEC_CHECKSUM_MISSING;
    rows.refusedStream("content checksum missing", missing, content);
    rows.refusedStream("content checksum cut", missing, content, Bytes.cut(sum, 3));
    byte[] head = Lz4Frames.frame(Lz4Frames.BLOCK_CHECKSUM, ID_64K);
    byte[] checked = Lz4Frames.checked(BLOCK);
    rows.soundStream("block checksum right", 1, head, checked, END);
    rows.refusedStream(
        "block checksum wrong",
        Reason.CODEC_CHECKSUM_MISMATCH,
        head,
        Bytes.damaged(checked, -1),
        END);
    rows.refusedStream("block checksum missing", missing, head, BLOCK);
  }

  private static void ends(Rows rows) {
    rows.of("lz4: bytes after the end mark");
    Reason left = Reason.CODEC_BYTES_LEFT;
    rows.laxStream("second frame", left, FRAME, FRAME);
    rows.laxStream("skippable frame", left, FRAME, SKIPPABLE);
    rows.laxStream("garbage", left, FRAME, Plain.RANDOM.bytes(50));
    byte[] storedNothing = Bytes.littleEndian(1 << 31);
    rows.laxStream("stored block of nothing", left, HEAD, BLOCK, storedNothing, BLOCK, END);
    rows.of("lz4: end mark of a stored block");
    rows.laxStream("at the end", Reason.CODEC_STREAM_AMBIGUOUS, HEAD, BLOCK, storedNothing);
    rows.of("lz4: a stream that ends early");
    Reason cut = Reason.CODEC_DATA_TRUNCATED;
    rows.refusedStream("no end mark", cut, HEAD, BLOCK);
    rows.refusedStream("end mark cut", cut, HEAD, BLOCK, new byte[3]);
    rows.refusedStream("block cut", cut, HEAD, Bytes.cut(BLOCK, -1));
    rows.of("lz4: block without content");
    Reason ambiguous = Reason.CODEC_STREAM_AMBIGUOUS;
    rows.laxStream("first", ambiguous, HEAD, EMPTY_BLOCK, BLOCK, END);
    rows.lax("in the middle", ambiguous, rows.batch(2, HEAD, BLOCK, EMPTY_BLOCK, SECOND, END));
    rows.laxStream("last", ambiguous, HEAD, BLOCK, EMPTY_BLOCK, END);
    byte[] many = Bytes.repeat(3000, EMPTY_BLOCK);
    rows.laxStream("many", ambiguous, HEAD, many, BLOCK, END).unlikeStock();
  }

  private static void blocks(Rows rows) {
    rows.of("lz4: block beyond the maximum of its frame");
    byte[] full = Arrays.copyOf(ONE, BYTES_64K);
    for (int size : new int[] {BYTES_64K + 1, Integer.MAX_VALUE, -1}) {
      byte[] word = Bytes.littleEndian(size);
      rows.refusedStream("declared " + size, Reason.CODEC_DATA_CORRUPT, HEAD, word, full, full);
    }
    byte[] more = Arrays.copyOf(ONE, BYTES_64K + 1);
    byte[] stored = Lz4Frames.stored(more);
    rows.refusedStream("stored", Reason.CODEC_DATA_CORRUPT, HEAD, stored, END);
    byte[] bigger = Lz4Frames.compressed(more);
    rows.refusedStream("compressed", Reason.CODEC_DATA_CORRUPT, HEAD, bigger, END);
  }

  private static void sequences(Rows rows) {
    rows.of("lz4: sequences that lead out of the block");
    byte[] tail = Bytes.concat(Bytes.of(0xf0, 5), Bytes.filled(20, 'z'));
    sequence(rows, "match from before the start", Bytes.of(0x10, 'a', 2, 0), tail);
    sequence(rows, "match at the end", Bytes.of(0x10, 'a', 1, 0));
    sequence(rows, "literals cut", Bytes.of(0x50, 'a', 'b'));
    sequence(rows, "length without end", Bytes.of(0xf0), Bytes.filled(1000, 0xff));
    rows.of("lz4: match that copies from nowhere");
    byte[] head = Bytes.of(54, 0, 0, 0, 1, 42); // a record whose value is 4 zeros and 17 letters
    byte[] rest = Bytes.concat(Bytes.filled(17, 'z'), Bytes.of(0));
    byte[] zeroOffset =
        Bytes.concat(
            Bytes.of(head.length << 4),
            head,
            Bytes.of(0, 0),
            Bytes.of(0xf0, rest.length - 15),
            rest);
    rows.soundStream("offset 0", 1, HEAD, Lz4Frames.block(zeroOffset), END);
  }

  private static void sequence(Rows rows, String name, byte[]... data) {
    byte[] block = Lz4Frames.block(Bytes.concat(data));
    rows.refusedStream(name, Reason.CODEC_DATA_CORRUPT, HEAD, block, END);
  }
}
