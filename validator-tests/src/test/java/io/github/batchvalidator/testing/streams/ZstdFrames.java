// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing.streams;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import net.jpountz.xxhash.XXHashFactory;

/** Frames of RFC 8878, block by block. */
public final class ZstdFrames {
  public static final int SINGLE_SEGMENT = 0x20;
  public static final int CONTENT_SIZE_FLAGS = 0xe0;
  public static final int UNUSED_BIT = 0x10;
  public static final int RESERVED_BIT = 0x08;
  public static final int CHECKSUM = 0x04;

  public static final int RAW = 0;
  public static final int RLE = 1;
  public static final int COMPRESSED = 2;
  public static final int RESERVED_TYPE = 3;

  public static final byte[] MAGIC = Bytes.littleEndian(0xFD2FB528);

  private ZstdFrames() {}

  public static byte[] frame(int descriptor, byte[] fields, byte[]... blocks) {
    return Bytes.concat(MAGIC, Bytes.of(descriptor), fields, Bytes.concat(blocks));
  }

  /** Returns the byte that describes a window of 2^log bytes. */
  public static byte[] window(int log) {
    return Bytes.of((log - 10) << 3);
  }

  public static byte[] blockHeader(boolean last, int type, int size) {
    int header = size << 3 | type << 1 | (last ? 1 : 0);
    return Bytes.of(header, header >> 8, header >> 16);
  }

  public static byte[] raw(boolean last, byte[] plain) {
    return Bytes.concat(blockHeader(last, RAW, plain.length), plain);
  }

  /**
   * Returns a compressed block: literals, the last of which is repeated.
   *
   * @param literals 1 to 15
   * @param repeats 65,539 to 131,074
   */
  public static byte[] repeating(boolean last, byte[] literals, int repeats) {
    byte[] content =
        Bytes.concat(
            Bytes.of(literals.length << 3), // raw literals, their number in five bits
            literals,
            Bytes.of(1, 0x54), // one sequence, each of its three codes is the only one
            Bytes.of(literals.length, 2, 52), // 2 and 16 more bits for offset and length follow
            Bytes.cut(Bytes.littleEndian(repeats - 65_539 | 1 << 18), 3));
    return Bytes.concat(blockHeader(last, COMPRESSED, content.length), content);
  }

  /** Returns a compressed block of some bytes, up to 31. */
  public static byte[] literal(boolean last, byte[] plain) {
    byte[] content = Bytes.concat(Bytes.of(plain.length << 3), plain, Bytes.of(0));
    return Bytes.concat(blockHeader(last, COMPRESSED, content.length), content);
  }

  /**
   * Returns a compressed block: literals, behind which three bytes are repeated.
   *
   * @param literals 512 to 1,023
   * @param offset how far back those bytes are, 2,045 to 4,092
   */
  public static byte[] reachingBack(boolean last, byte[] literals, int offset) {
    int extraBits = literals.length - 512 | (offset + 3 - 2048) << 9 | 1 << 20;
    byte[] content =
        Bytes.concat(
            Bytes.of(literals.length << 4 | 1 << 2, literals.length >> 4), // number in twelve bits
            literals,
            Bytes.of(1, 0x54), // one sequence, each of its three codes is the only one
            Bytes.of(28, 11, 0), // 9 and 11 more bits for literals and offset follow
            Bytes.cut(Bytes.littleEndian(extraBits), 3));
    return Bytes.concat(blockHeader(last, COMPRESSED, content.length), content);
  }

  public static byte[] checksum(byte[] plain) {
    long hash = XXHashFactory.safeInstance().hash64().hash(plain, 0, plain.length, 0);
    return Bytes.littleEndian((int) hash);
  }

  public static byte[] skippable(int length) {
    return Bytes.concat(
        Bytes.littleEndian(0x184D2A50), Bytes.littleEndian(length), new byte[length]);
  }

  /** Returns a frame with a window of 2^log bytes around one raw block. */
  public static byte[] ofWindowLog(int log, byte[] plain) {
    return frame(0, window(log), raw(true, plain));
  }

  /** Returns true if the library on the class path refuses a complete frame and then a cut one. */
  public static boolean kafkaRefusesCutTails() {
    byte[] stored = Batches.compress(Codec.ZSTD, new byte[9]);
    byte[] cut = Bytes.concat(stored, Bytes.cut(stored, 8));
    return !KafkaStream.isReadable(Codec.ZSTD, cut);
  }
}
