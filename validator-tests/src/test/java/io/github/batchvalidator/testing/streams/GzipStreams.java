// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing.streams;

import io.github.batchvalidator.rule.Codec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Members of RFC 1952, field by field. */
public final class GzipStreams {
  public static final int TEXT = 0x01;
  public static final int HEADER_CRC = 0x02;
  public static final int EXTRA = 0x04;
  public static final int NAME = 0x08;
  public static final int COMMENT = 0x10;

  /** Below this an older JDK does not look at what follows a member. */
  private static final int MIN_MEMBER_BYTES = 19;

  /** The size of the JDK's reads in Kafka. */
  public static final int KAFKA_INPUT_BYTES = 8 << 10;

  private GzipStreams() {}

  public static byte[] header(int flags, byte[]... fields) {
    byte[] fixed = Bytes.of(0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 0xff);
    return Bytes.concat(fixed, Bytes.concat(fields));
  }

  public static byte[] extra(int bytes) {
    return Bytes.concat(Bytes.of(bytes, bytes >> 8), Bytes.filled(bytes, 7));
  }

  public static byte[] text(String text) {
    return Bytes.concat(text.getBytes(StandardCharsets.ISO_8859_1), Bytes.of(0));
  }

  public static byte[] checked(byte[] header) {
    CRC32 crc = new CRC32();
    crc.update(header);
    return Bytes.concat(header, Bytes.of((int) crc.getValue(), (int) crc.getValue() >> 8));
  }

  public static byte[] deflated(byte[] plain) {
    return deflated(plain, Deflater.DEFAULT_COMPRESSION, Deflater.DEFAULT_STRATEGY);
  }

  public static byte[] deflated(byte[] plain, int level, int strategy) {
    Deflater deflater = new Deflater(level, true);
    deflater.setStrategy(strategy);
    deflater.setInput(plain);
    deflater.finish();
    byte[] target = new byte[plain.length + 100 + plain.length / 1000];
    int bytes = 0;
    while (!deflater.finished()) { // the deflater applies a new strategy in a separate call
      bytes += deflater.deflate(target, bytes, target.length - bytes);
    }
    deflater.end();
    return Bytes.cut(target, bytes);
  }

  public static byte[] trailer(byte[] plain) {
    CRC32 crc = new CRC32();
    crc.update(plain);
    return Bytes.concat(Bytes.littleEndian((int) crc.getValue()), Bytes.littleEndian(plain.length));
  }

  public static byte[] member(byte[] plain) {
    return member(header(0), plain);
  }

  public static byte[] member(byte[] header, byte[] plain) {
    return Bytes.concat(header, deflated(plain), trailer(plain));
  }

  public static byte[] everyField(byte[] plain) {
    int flags = TEXT | HEADER_CRC | EXTRA | NAME | COMMENT;
    return member(checked(header(flags, extra(3), text("name"), text("what"))), plain);
  }

  /** Tells whether the JDK refuses the start of a member too short to be one: newer ones do. */
  public static boolean jdkRefusesBareHeaders() {
    byte[] stored = Bytes.concat(member(new byte[9]), header(0));
    return !KafkaStream.isReadable(Codec.GZIP, stored);
  }

  /**
   * Tells whether a stream ends in a header of a member that cannot be whole, and Kafka may refuse
   * that where we do not: JDK 17 does where it lies beyond the 8 KiB that it has read.
   */
  public static boolean endsInBareHeader(byte[] stored) {
    byte[] start = Bytes.of(0x1f, 0x8b, 8);
    for (int length = header(0).length; length < MIN_MEMBER_BYTES; length++) {
      int from = stored.length - length;
      if (from > 0 && Arrays.equals(stored, from, from + start.length, start, 0, start.length)) {
        return stored.length > KAFKA_INPUT_BYTES && !jdkRefusesBareHeaders();
      }
    }
    return false;
  }
}
