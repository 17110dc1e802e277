// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws the records of a batch, and writes them as they are in an uncompressed batch. */
final class RecordDraw {
  static final long NOW_MS = 1_700_000_000_000L;
  private static final int MANY = 300;

  /** A value above the bytes that the limit {@code ratio} exempts. */
  private static final int LARGE_BYTES = (1 << 20) + 100;

  private static final byte[][] HEADER_KEYS = {
    key("a"),
    key("trace"),
    key("__value_schema_id"),
    key("__key_schema_id"),
    key("apicurio.value.globalId"),
    key("apicurio.key.globalId"),
    key("debug"),
    key("x".repeat(200)),
    {'b', (byte) 0xFF}
  };
  private static final long[] DELTAS = {
    0,
    1,
    -1,
    50,
    -NOW_MS - 1,
    -NOW_MS,
    -NOW_MS - 2,
    NOW_MS / 1000 - NOW_MS,
    NOW_MS * 999,
    NOW_MS * 999_999,
    946_684_799 - NOW_MS,
    946_684_800 - NOW_MS,
    4_102_444_800_001L - NOW_MS,
    Long.MAX_VALUE - 5
  };

  private final Choices choices;

  /** The sum of the base timestamp and the largest delta, -1 at least. */
  long maxTimestamp = -1;

  /** One of the records, as the messages of magic 0 and 1 need it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Content(long timestamp, byte @Nullable [] key, byte @Nullable [] value) {}

  final List<Content> contents = new ArrayList<>();

  /** True if the records exceed the bytes that the limit {@code ratio} exempts. */
  boolean isLarge;

  RecordDraw(Choices choices) {
    this.choices = choices;
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the plain bytes of so many records. */
  byte[] plain(int count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64 * count);
    boolean isHonest = !choices.oneIn(5);
    boolean hasHeaders = choices.oneIn(3);
    boolean isOdd = choices.oneIn(12);
    int odd = isOdd && count > 0 ? choices.below(count) : -1;
    isLarge = count > 0 && count <= MANY && choices.oneIn(500);
    for (int i = 0; i < count; i++) {
      long delta = isHonest || count > MANY ? i : choices.of(DELTAS);
      byte[] key = count > MANY && i > 4 ? contents.get(i % 5).key() : data(80);
      byte[] value = count > MANY && i > 4 ? contents.get(i % 5).value() : data(120);
      if (isLarge && i == 0) {
        value = filled(new byte[LARGE_BYTES], (byte) 'Z');
      }
      contents.add(new Content(NOW_MS + delta, key, value));
      maxTimestamp = Math.max(maxTimestamp, NOW_MS + delta);
      record(out, i, delta, hasHeaders && i < MANY, i == odd);
    }
    return out.toByteArray();
  }

  private void record(
      ByteArrayOutputStream out, int index, long delta, boolean hasHeaders, boolean isOdd) {
    byte[] key = contents.get(index).key();
    byte[] value = contents.get(index).value();
    int oddity = isOdd ? 1 + choices.below(8) : 0;
    ByteArrayOutputStream body = new ByteArrayOutputStream(64);
    body.write(oddity == 1 ? 4 : 0);
    number(body, delta, oddity == 2 ? 9 : 1);
    number(body, oddity == 3 ? index + choices.below(3) - 1 : index, 1);
    field(body, key, oddity == 4 ? -2 : -1);
    field(body, value, oddity == 5 ? -7 : -1);
    int headers = hasHeaders ? choices.below(4) : 0;
    number(body, headers, oddity == 6 ? 3 : 1);
    for (int i = 0; i < headers; i++) {
      field(body, HEADER_KEYS[choices.below(HEADER_KEYS.length)], -1);
      field(body, headerValue(), -1);
    }
    number(out, body.size() + (oddity == 7 ? choices.below(3) - 1 : 0), oddity == 8 ? 4 : 1);
    out.writeBytes(body.toByteArray());
  }

  private static void field(ByteArrayOutputStream out, byte @Nullable [] bytes, int nullLength) {
    number(out, bytes == null ? nullLength : bytes.length, 1);
    if (bytes != null) {
      out.writeBytes(bytes);
    }
  }

  /** Writes a zig-zag number in at least so many bytes. */
  private static void number(ByteArrayOutputStream out, long number, int leastBytes) {
    long rest = number << 1 ^ number >> 63;
    int written = 1;
    while ((rest & ~0x7FL) != 0 || written < leastBytes) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
      written++;
    }
    out.write((int) rest);
  }

  /** Bytes of a key or value: text, a schema id and data, JSON, zeros, random or null. */
  private byte @Nullable [] data(int most) {
    int size = choices.below(most);
    switch (choices.below(12)) {
      case 0, 1, 2 -> {
        return filled(new byte[1 + size], (byte) 'k');
      }
      case 3, 4, 5 -> {
        byte[] data = filled(new byte[5 + size], (byte) 'd');
        ByteBuffer.wrap(data).put((byte) 0).putInt(id());
        return data;
      }
      case 6, 7 -> {
        byte[] data = filled(new byte[1 + size], (byte) 'j');
        data[0] = '{';
        return data;
      }
      case 8 -> {
        return new byte[size];
      }
      case 9 -> {
        return null;
      }
      case 10 -> {
        return choices.oneIn(6) ? filled(new byte[1500 + size], (byte) 'L') : new byte[0];
      }
      default -> {
        byte[] data = new byte[size];
        for (int i = 0; i < size; i++) {
          data[i] = choices.anyByte();
        }
        return data;
      }
    }
  }

  /** Text that compresses, though not to nothing. */
  private static byte[] filled(byte[] data, byte first) {
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (i == 0 ? first : 'a' + i * 7 % 23);
    }
    return data;
  }

  private int id() {
    return choices.oneIn(3) ? choices.below(3) : 17;
  }

  private byte @Nullable [] headerValue() {
    return switch (choices.below(24)) {
      case 0, 1, 2, 3, 4, 5 -> ByteBuffer.allocate(5).put((byte) 0).putInt(id()).array();
      case 6, 7, 8 -> ByteBuffer.allocate(8).putLong(choices.below(3)).array();
      case 9, 10 ->
          ByteBuffer.allocate(17).put((byte) 1).putLong(1).putLong(choices.below(3)).array();
      case 11, 12 -> null;
      case 13 -> ByteBuffer.allocate(5).put((byte) 1).putInt(17).array();
      case 14, 15 -> filled(new byte[300], (byte) 'h');
      case 16 -> choices.oneIn(4) ? filled(new byte[9 << 10], (byte) 'H') : new byte[0];
      default -> filled(new byte[choices.below(9)], (byte) 'v');
    };
  }
}
