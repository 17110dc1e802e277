// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.util.Arrays;
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
  public static final int RESERVED_TYPE = 3;

  static final byte[] MAGIC = Bytes.littleEndian(0xFD2FB528);

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

  /** Returns where the last frame starts, which is no skippable one. */
  public static int lastFrame(byte[] stored) {
    for (int at = stored.length - MAGIC.length; at > 0; at--) {
      if (Arrays.equals(MAGIC, Arrays.copyOfRange(stored, at, at + MAGIC.length))) {
        return at;
      }
    }
    return 0;
  }

  /** Tells whether the library on the class path refuses a cut frame behind a whole one. */
  public static boolean kafkaRefusesCutTails() {
    byte[] stored = Batches.compress(Codec.ZSTD, new byte[9]);
    byte[] cut = Bytes.concat(stored, Bytes.cut(stored, 8));
    return !Outcome.ofKafka(Codec.ZSTD, cut).isClean();
  }
}
