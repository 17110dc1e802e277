// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

/** Walks over the plain bytes of records of magic 2, believing them or not. */
final class PlainRecords {
  private static final int VARINT_BYTES = 5;
  private static final int VARLONG_BYTES = 10;

  private final byte[] plain;
  private int at;
  private boolean ended;

  private PlainRecords(byte[] plain) {
    this.plain = plain;
  }

  /** True if a record declares more than so many bytes; each is believed to be that long. */
  static boolean declareMoreThan(byte[] plain, int most) {
    PlainRecords records = new PlainRecords(plain);
    while (records.at < plain.length) {
      int size = (int) records.number(VARINT_BYTES);
      if (records.ended || size < 0) {
        return false;
      }
      if (size > most) {
        return true;
      }
      records.skip(size);
    }
    return false;
  }

  /** True if the fields of a record take more than so many bytes, and it does not declare them. */
  static boolean takeMoreThan(byte[] plain, int most) {
    PlainRecords records = new PlainRecords(plain);
    while (records.at < plain.length && !records.ended) {
      int declared = (int) records.number(VARINT_BYTES);
      int from = records.at;
      records.skip(1);
      records.number(VARLONG_BYTES);
      records.number(VARINT_BYTES);
      records.skip((int) records.number(VARINT_BYTES));
      records.skip((int) records.number(VARINT_BYTES));
      long headerParts = 2 * records.number(VARINT_BYTES);
      for (long i = 0; i < headerParts && !records.ended; i++) {
        records.skip((int) records.number(VARINT_BYTES));
      }
      if (records.at - from > most && declared <= most) {
        return true;
      }
    }
    return false;
  }

  private void skip(int bytes) {
    if (bytes > plain.length - at) {
      ended = true;
      at = plain.length;
    } else if (bytes > 0) {
      at += bytes;
    }
  }

  private long number(int mostBytes) {
    long raw = 0;
    for (int i = 0; i < mostBytes && at < plain.length; i++) {
      byte next = plain[at++];
      raw |= (next & 0x7FL) << (7 * i);
      if (next >= 0) {
        long value = mostBytes == VARINT_BYTES ? raw & 0xFFFFFFFFL : raw;
        return value >>> 1 ^ -(value & 1);
      }
    }
    ended = true;
    return 0;
  }
}
