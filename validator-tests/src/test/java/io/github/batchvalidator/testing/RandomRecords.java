// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/** Plain records at random, some of them damaged, and ways to read them. */
public final class RandomRecords {
  private RandomRecords() {}

  /** One byte at a time, so that no record lies within a window. */
  public static final class ByBytes extends ByteArrayInputStream {
    public ByBytes(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int read(byte[] target, int at, int most) {
      return super.read(target, at, 1);
    }
  }

  public static Limits limits(Random random) {
    return Limits.UNBOUNDED_AS_KAFKA
        .with(Limit.RECORD_BYTES, 1 + random.nextInt(random.nextBoolean() ? 20 : 300))
        .with(Limit.HEADERS, random.nextInt(4))
        .with(Limit.HEADER_BYTES, random.nextInt(40));
  }

  /** Returns records, most of them sound; one in 20 is large. */
  public static byte[] plain(Random random, int count) {
    return plain(random, count, 20);
  }

  /** Returns records, most of them sound; one in {@code oneLargeOf} is large. */
  public static byte[] plain(Random random, int count, int oneLargeOf) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      boolean large = random.nextInt(oneLargeOf) == 0;
      out.writeBytes(someRecord(random, i, large ? random.nextInt(40_000) : someSize(random)));
    }
    byte[] plain = out.toByteArray();
    if (random.nextInt(3) == 0) {
      plain[random.nextInt(plain.length)] = (byte) random.nextInt();
    }
    int cut = random.nextInt(8) == 0 ? random.nextInt(plain.length) : 0;
    return Arrays.copyOf(plain, plain.length - cut);
  }

  private static byte[] someRecord(Random random, int index, int valueBytes) {
    byte[] key = new byte[someSize(random)];
    byte[] value = new byte[valueBytes];
    random.nextBytes(value);
    int headers = Math.max(0, random.nextInt(6) - 2);
    RecordBytes record =
        new RecordBytes()
            .attributes(random.nextInt(8) == 0 ? random.nextInt() : 0)
            .timestampDelta(
                number(random, (int) (random.nextGaussian() * (1 << random.nextInt(28)))))
            .offsetDelta(number(random, random.nextInt(20) > 0 ? index : random.nextInt()))
            .key(size(random, key), key)
            .value(size(random, value), value)
            .headerCount(number(random, headers))
            .lengthError(random.nextInt(10) == 0 ? random.nextInt(7) - 3 : 0);
    for (int i = 0; i < headers; i++) {
      byte[] headerKey = new byte[random.nextInt(10)];
      byte[] headerValue = new byte[someSize(random) / 4];
      record.headerPart(number(random, headerKey.length), headerKey);
      record.headerPart(size(random, headerValue), headerValue);
    }
    byte[] all = record.toBytes();
    int body = RecordBytes.bodyBytes(all);
    return random.nextInt(8) > 0
        ? all
        : record.length(varint(body, 2 + random.nextInt(3))).toBytes();
  }

  private static int someSize(Random random) {
    return random.nextInt(4) == 0 ? 0 : random.nextInt(random.nextBoolean() ? 8 : 140);
  }

  private static byte[] size(Random random, byte[] bytes) {
    return number(random, bytes.length > 0 || random.nextBoolean() ? bytes.length : -1);
  }

  private static byte[] number(Random random, int number) {
    byte[] shortest = varint(number, 1);
    return random.nextInt(25) > 0 ? shortest : varint(number, shortest.length + 1);
  }
}
