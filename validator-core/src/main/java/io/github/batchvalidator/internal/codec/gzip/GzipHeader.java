// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import io.github.batchvalidator.internal.codec.Payload;
import java.util.zip.CRC32;

/**
 * A parser for the header of a gzip member (RFC 1952). It checks the structure and the header
 * checksum, if present, and keeps no field. Reserved flags are ignored, as in the JDK; zlib's own
 * reader rejects them.
 */
final class GzipHeader {
  /** Size of magic, method, flags, time, extra flags and operating system. */
  static final int FIXED_BYTES = 10;

  private static final int MAGIC_FIRST = 0x1f;
  private static final int MAGIC_SECOND = 0x8b;
  private static final int METHOD_AT = 2;
  private static final int METHOD_DEFLATE = 8;
  private static final int FLAGS_AT = 3;

  private static final int HEADER_CRC = 0x02;
  private static final int EXTRA = 0x04;
  private static final int NAME = 0x08;
  private static final int COMMENT = 0x10;
  private static final int RESERVED = 0xE0;

  private static final int NONE = -1;

  private final CRC32 crc = new CRC32();

  /**
   * Skips a header.
   *
   * @param payload the payload
   * @param from position of the header's first byte
   * @return the position after the header, or -1 if the header is invalid
   */
  int skip(Payload payload, int from) {
    if (payload.length() - from < FIXED_BYTES
        || (payload.get(from) & 0xFF) != MAGIC_FIRST
        || (payload.get(from + 1) & 0xFF) != MAGIC_SECOND
        || payload.get(from + METHOD_AT) != METHOD_DEFLATE) {
      return NONE;
    }
    int flags = payload.get(from + FLAGS_AT);
    int at = from + FIXED_BYTES;
    if ((flags & EXTRA) != 0) {
      at = skipExtra(payload, at);
    }
    if ((flags & NAME) != 0) {
      at = skipText(payload, at);
    }
    if ((flags & COMMENT) != 0) {
      at = skipText(payload, at);
    }
    if ((flags & HEADER_CRC) != 0) {
      at = checkCrc(payload, from, at);
    }
    return at;
  }

  /**
   * {@return true if a header has flags that RFC 1952 reserves}
   *
   * @param payload the payload
   * @param from position of the header's first byte
   */
  static boolean hasReservedFlags(Payload payload, int from) {
    return (payload.get(from + FLAGS_AT) & RESERVED) != 0;
  }

  private static int skipExtra(Payload payload, int at) {
    if (payload.length() - at < Short.BYTES) {
      return NONE;
    }
    int bytes = payload.getUint16LittleEndian(at);
    int from = at + Short.BYTES;
    return bytes <= payload.length() - from ? from + bytes : NONE;
  }

  private static int skipText(Payload payload, int from) {
    if (from == NONE) {
      return NONE;
    }
    for (int at = from; at < payload.length(); at++) {
      if (payload.get(at) == 0) {
        return at + 1;
      }
    }
    return NONE;
  }

  private int checkCrc(Payload payload, int from, int at) {
    if (at == NONE || payload.length() - at < Short.BYTES) {
      return NONE;
    }
    crc.reset();
    for (int i = from; i < at; i++) {
      crc.update(payload.get(i));
    }
    return payload.getUint16LittleEndian(at) == (crc.getValue() & 0xFFFF) ? at + Short.BYTES : NONE;
  }
}
