// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of magic 2, read field by field as Kafka's iterators do, with what Kafka's {@code
 * Record} does not tell: how the fields are written.
 *
 * @param declaredBytes the declared length
 * @param takenBytes the bytes that the fields take
 * @param attributes of the record
 * @param timestampDelta from the base timestamp
 * @param offsetDelta from the base offset
 * @param key null without a key
 * @param value null without a value
 * @param headers in order
 * @param headerBytes the bytes that the headers take, without their number
 * @param isShortest false if a number has more bytes than it needs, or bits that do not count
 * @param hasOddNull true if a length is below -1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PlainRecord(
    int declaredBytes,
    int takenBytes,
    int attributes,
    long timestampDelta,
    int offsetDelta,
    byte @Nullable [] key,
    byte @Nullable [] value,
    List<Header> headers,
    int headerBytes,
    boolean isShortest,
    boolean hasOddNull) {

  /** A header of a record. */
  record Header(byte[] key, byte @Nullable [] value) {
    String text() {
      return new String(key, StandardCharsets.UTF_8);
    }
  }

  /** Returns so many records, or null if the bytes hold no such records and nothing else. */
  static @Nullable List<PlainRecord> read(byte[] plain, int count) {
    if (count < 0) {
      return null;
    }
    Reader reader = new Reader(ByteBuffer.wrap(plain));
    List<PlainRecord> records = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        records.add(reader.next());
      }
    } catch (IllegalArgumentException e) {
      return null;
    }
    return reader.bytes.hasRemaining() ? null : records;
  }

  /** A reader that throws an {@code IllegalArgumentException} where the bytes are no record. */
  private static final class Reader {
    private final ByteBuffer bytes;
    private boolean shortest;
    private boolean oddNull;

    Reader(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    PlainRecord next() {
      shortest = true;
      oddNull = false;
      int declared = (int) number(5);
      int start = bytes.position();
      int attributes = require(1).get();
      long timestampDelta = number(10);
      int offsetDelta = (int) number(5);
      byte[] key = field((int) number(5));
      byte[] value = field((int) number(5));
      int count = (int) number(5);
      if (count < 0) {
        throw new IllegalArgumentException("header count");
      }
      int headersAt = bytes.position();
      List<Header> headers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] headerKey = field((int) number(5));
        if (headerKey == null) {
          throw new IllegalArgumentException("header key");
        }
        headers.add(new Header(headerKey, field((int) number(5))));
      }
      return new PlainRecord(
          declared,
          bytes.position() - start,
          attributes,
          timestampDelta,
          offsetDelta,
          key,
          value,
          headers,
          bytes.position() - headersAt,
          shortest,
          oddNull);
    }

    private byte @Nullable [] field(int length) {
      if (length < 0) {
        oddNull |= length < -1;
        return null;
      }
      byte[] field = new byte[length];
      require(length).get(field);
      return field;
    }

    private ByteBuffer require(int length) {
      if (bytes.remaining() < length) {
        throw new IllegalArgumentException("end");
      }
      return bytes;
    }

    /** A zig-zag number of at most so many bytes: 5 hold 32 bits, 10 hold 64. */
    private long number(int mostBytes) {
      int bits = mostBytes == 5 ? Integer.SIZE : Long.SIZE;
      long raw = 0;
      int read = 0;
      byte last;
      boolean lost = false;
      do {
        if (read == mostBytes) {
          throw new IllegalArgumentException("number");
        }
        last = require(1).get();
        long part = last & 0x7FL;
        int shift = 7 * read++;
        lost |= shift + 7 > bits && part >>> (bits - shift) != 0;
        raw |= part << shift;
      } while (last < 0);
      if (bits == Integer.SIZE) {
        raw &= 0xFFFF_FFFFL;
      }
      shortest &= !lost && (read == 1 || last != 0);
      return raw >>> 1 ^ -(raw & 1);
    }
  }
}
