// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static io.github.batchvalidator.internal.codec.StreamCase.accepted;
import static io.github.batchvalidator.internal.codec.StreamCase.refused;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Lz4Frames;
import io.github.batchvalidator.testing.streams.Plain;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class Lz4StreamTest extends StreamCaseContract {
  private static final byte[] HEAD = Lz4Frames.frame(0, Lz4Frames.MAX_64K);
  private static final byte[] BLOCK = Lz4Frames.compressed(P);
  private static final byte[] END = Lz4Frames.END;
  private static final byte[] FRAME = Bytes.concat(HEAD, BLOCK, END);
  private static final byte[] SKIPPABLE =
      Bytes.concat(Bytes.littleEndian(0x184D2A50), Bytes.littleEndian(3), new byte[3]);

  /** A token without literals and without a match. */
  private static final byte[] EMPTY_BLOCK = Lz4Frames.block(Bytes.of(0));

  /** Twenty literals, which end a block by the rules. */
  private static final byte[] TAIL = Bytes.concat(Bytes.of(0xf0, 5), Bytes.filled(20, 'z'));

  @Override
  Codec codec() {
    return Codec.LZ4;
  }

  @Override
  List<StreamCase> cases() {
    List<StreamCase> rows = new ArrayList<>();
    headers(rows);
    descriptors(rows);
    checksums(rows);
    ends(rows);
    blocks(rows);
    sequences(rows);
    return rows;
  }

  private static void headers(List<StreamCase> rows) {
    rows.add(accepted("frame", P, FRAME));
    rows.add(accepted("header and end mark", NOTHING, HEAD, END));
    rows.add(refused("skippable frame first", Reason.CODEC_HEADER_INVALID, SKIPPABLE, FRAME));
    byte[] legacy = Bytes.littleEndian(0x184C2102);
    rows.add(refused("legacy frame", Reason.CODEC_HEADER_INVALID, legacy, BLOCK));
    rows.add(refused("block without a frame", Reason.CODEC_HEADER_INVALID, BLOCK));
    byte[] other = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
    rows.add(refused("block stream of lz4-java", Reason.CODEC_HEADER_INVALID, other, BLOCK));
    for (int length : new int[] {0, 1, 4, 5, 6}) {
      rows.add(refused("first " + length, Reason.CODEC_HEADER_INVALID, Bytes.cut(FRAME, length)));
    }
    rows.add(refused("first 7", Reason.CODEC_DATA_TRUNCATED, HEAD));
    byte[] sized = Lz4Frames.frame(Lz4Frames.CONTENT_SIZE, Lz4Frames.MAX_64K);
    rows.add(refused("content size cut", Reason.CODEC_HEADER_INVALID, Bytes.cut(sized, -5)));
    rows.add(refused("header checksum wrong", Reason.CODEC_HEADER_INVALID, badChecksum()));
  }

  private static byte[] badChecksum() {
    return Bytes.damaged(FRAME, HEAD.length - 1);
  }

  private static void descriptors(List<StreamCase> rows) {
    int good = Lz4Frames.VERSION_1 | Lz4Frames.INDEPENDENT;
    rows.add(badDescriptor("dependent blocks", Lz4Frames.VERSION_1, 0x40));
    rows.add(badDescriptor("dictionary", good | 1, 0x40));
    rows.add(badDescriptor("reserved flag", good | 2, 0x40));
    for (int version : new int[] {0, 2, 3}) {
      int flg = version << 6 | Lz4Frames.INDEPENDENT;
      rows.add(badDescriptor("version " + version, flg, 0x40));
    }
    for (int id = 0; id < 4; id++) {
      rows.add(badDescriptor("block size id " + id, good, id << 4));
    }
    for (int bit : new int[] {0x01, 0x08, 0x80}) {
      rows.add(badDescriptor("reserved bit " + bit, good, 0x40 | bit));
    }
    for (int id = 4; id < 8; id++) {
      rows.add(accepted("block size id " + id, P, Lz4Frames.frame(0, id, BLOCK, END)));
    }
    byte[] right = Lz4Frames.frame(Lz4Frames.CONTENT_SIZE, Lz4Frames.MAX_64K, BLOCK, END);
    rows.add(accepted("content size right", P, right));
    byte[] wrong = Lz4Frames.frame(Lz4Frames.CONTENT_SIZE, Lz4Frames.MAX_64K, BLOCK, BLOCK, END);
    rows.add(accepted("content size wrong", PP, wrong));
  }

  private static StreamCase badDescriptor(String name, int flg, int bd) {
    return refused(
        name, Reason.CODEC_HEADER_INVALID, Lz4Frames.header(flg, bd, NOTHING), BLOCK, END);
  }

  private static void checksums(List<StreamCase> rows) {
    byte[] content = Lz4Frames.frame(Lz4Frames.CONTENT_CHECKSUM, Lz4Frames.MAX_64K, BLOCK, END);
    byte[] sum = Bytes.littleEndian(Lz4Frames.hash(P));
    rows.add(accepted("content checksum right", P, content, sum));
    rows.add(accepted("content checksum wrong", P, content, Bytes.damaged(sum, 0)));
    for (int length = 0; length < 4; length++) {
      String name = "content checksum of " + length + " bytes";
      rows.add(
          refused(name, Reason.CODEC_CHECKSUM_MISSING, content, Bytes.cut(sum, length))
              .whereKafkaThrows(BufferUnderflowException.class));
    }
    byte[] head = Lz4Frames.frame(Lz4Frames.BLOCK_CHECKSUM, Lz4Frames.MAX_64K);
    byte[] checked = Lz4Frames.checked(BLOCK);
    rows.add(accepted("block checksum right", P, head, checked, END));
    byte[] stored = Lz4Frames.checked(Lz4Frames.stored(P));
    rows.add(accepted("block checksum of a stored block", P, head, stored, END));
    byte[] wrong = Bytes.damaged(checked, -1);
    rows.add(refused("block checksum wrong", Reason.CODEC_CHECKSUM_MISMATCH, head, wrong, END));
    rows.add(
        refused("block checksum missing", Reason.CODEC_CHECKSUM_MISSING, head, BLOCK)
            .whereKafkaThrows(BufferUnderflowException.class));
    rows.add(
        refused("block checksum cut", Reason.CODEC_CHECKSUM_MISSING, head, Bytes.cut(checked, -1))
            .whereKafkaThrows(BufferUnderflowException.class));
  }

  private static void ends(List<StreamCase> rows) {
    rows.add(accepted("second frame", P, FRAME, FRAME));
    rows.add(accepted("skippable frame behind", P, FRAME, SKIPPABLE));
    rows.add(accepted("garbage behind", P, FRAME, Plain.RANDOM.bytes(50)));
    rows.add(refused("no end mark", Reason.CODEC_DATA_TRUNCATED, HEAD, BLOCK));
    rows.add(refused("end mark cut", Reason.CODEC_DATA_TRUNCATED, HEAD, BLOCK, new byte[3]));
    rows.add(refused("block cut", Reason.CODEC_DATA_TRUNCATED, HEAD, Bytes.cut(BLOCK, -1)));
    byte[] storedNothing = Bytes.littleEndian(1 << 31);
    rows.add(accepted("stored block of nothing", P, HEAD, BLOCK, storedNothing, BLOCK, END));
    rows.add(
        accepted("empty block first", P, HEAD, EMPTY_BLOCK, BLOCK, END)
            .whereKafkaEndsEarly(NOTHING));
    rows.add(
        accepted("empty block in the middle", PP, HEAD, BLOCK, EMPTY_BLOCK, BLOCK, END)
            .whereKafkaEndsEarly(P));
    rows.add(accepted("empty block last", P, HEAD, BLOCK, EMPTY_BLOCK, END));
    byte[] many = Bytes.repeat(3000, EMPTY_BLOCK);
    rows.add(accepted("3000 empty blocks", P, HEAD, many, BLOCK, END).whereKafkaEndsEarly(NOTHING));
  }

  private static void blocks(List<StreamCase> rows) {
    for (int size : new int[] {(64 << 10) + 1, Integer.MAX_VALUE, -1}) {
      String name = "block of " + Integer.toHexString(size);
      byte[] word = Bytes.littleEndian(size);
      rows.add(refused(name, Reason.CODEC_DATA_CORRUPT, HEAD, word, new byte[70_000]));
    }
    for (int id = Lz4Frames.MAX_64K; id < 8; id++) {
      int most = 1 << (2 * id + 8);
      byte[] plain = Plain.JSON.bytes(most);
      byte[] head = Lz4Frames.frame(0, id);
      rows.add(accepted("stored block of " + most, plain, head, Lz4Frames.stored(plain), END));
      rows.add(accepted("full block of " + most, plain, head, Lz4Frames.compressed(plain), END));
      byte[] more = Lz4Frames.stored(new byte[most + 1]);
      rows.add(refused("stored block above " + most, Reason.CODEC_DATA_CORRUPT, head, more, END));
      byte[] bigger = Lz4Frames.compressed(new byte[most + 1]);
      rows.add(refused("block decodes above " + most, Reason.CODEC_DATA_CORRUPT, head, bigger));
    }
  }

  private static void sequences(List<StreamCase> rows) {
    byte[] zeroOffset = Lz4Frames.block(Bytes.concat(Bytes.of(0x10, 'a', 0, 0), TAIL));
    byte[] plain = Bytes.concat(Bytes.of('a', 0, 0, 0, 0), Bytes.filled(20, 'z'));
    rows.add(accepted("match offset 0", plain, HEAD, zeroOffset, END));
    rows.add(badBlock("match from before the start", Bytes.of(0x10, 'a', 2, 0), TAIL));
    rows.add(badBlock("match at the end", Bytes.of(0x10, 'a', 1, 0)));
    rows.add(badBlock("offset cut", Bytes.of(0x10, 'a', 1)));
    rows.add(badBlock("literals cut", Bytes.of(0x50, 'a', 'b')));
    rows.add(badBlock("length without end", Bytes.of(0xf0), Bytes.filled(1000, 0xff)));
    rows.add(badBlock("match length without end", Bytes.of(0x1f, 'a', 1, 0), Bytes.of(0xff)));
  }

  private static StreamCase badBlock(String name, byte[]... data) {
    byte[] block = Lz4Frames.block(Bytes.concat(data));
    return refused(name, Reason.CODEC_DATA_CORRUPT, HEAD, block, END);
  }
}
