// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/**
 * Compressed batches, most of them damaged in several places: in the records before compression, in
 * the stream, and in the record count. The checksum is right. Some records have no key.
 */
final class RandomBatches {
  private static final int MUTANTS_PER_STREAM = 16;

  private final Random random;
  private final RandomStreams streams;

  private Codec codec = Codec.GZIP;
  private byte[] stream = {};
  private int count;
  private int left;

  RandomBatches(long seed) {
    random = new Random(seed);
    streams = new RandomStreams(random);
  }

  /** Returns the next batch of a codec; several in a row have the same stream below the damage. */
  byte[] next(Codec wanted, int mostPlainBytes) {
    if (left-- <= 0 || codec != wanted) {
      codec = wanted;
      left = MUTANTS_PER_STREAM;
      stream = streams.of(codec, plain(mostPlainBytes));
    }
    byte[] damaged = stream;
    for (int i = random.nextInt(3); i >= 0; i--) {
      damaged = random.nextInt(8) == 0 ? damaged : damage(damaged);
    }
    return Batches.ofPayload(codec, Math.max(1, lie(count)), damaged).array();
  }

  private int lie(int records) {
    return switch (random.nextInt(8)) {
      case 0 -> records + 1 + random.nextInt(3);
      case 1 -> records - 1;
      case 2 -> 1 + random.nextInt(records);
      default -> records;
    };
  }

  private byte[] plain(int most) {
    int size = random.nextInt(3) == 0 ? most : 1 + random.nextInt(Math.max(1, most / 8));
    int largest = random.nextInt(4) == 0 ? most : 1 + random.nextInt(2000);
    int damagedAt = random.nextInt(3) == 0 ? -1 : random.nextInt(1 + size / 200);
    boolean keyless = random.nextBoolean();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    count = 0;
    do {
      RecordBytes record = record(largest, keyless && random.nextBoolean());
      if (count == damagedAt) {
        Damage[] all = Damage.values();
        all[random.nextInt(all.length)].apply(record, count);
      }
      out.writeBytes(record.toBytes());
      count++;
    } while (out.size() < size);
    if (random.nextInt(10) == 0) {
      out.write(random.nextInt());
    }
    return out.toByteArray();
  }

  private RecordBytes record(int largest, boolean keyless) {
    byte[] value = new byte[random.nextInt(4) == 0 ? random.nextInt(largest) : random.nextInt(100)];
    fill(value);
    RecordBytes record =
        new RecordBytes().offsetDelta(varint(count, 1)).value(varint(value.length, 1), value);
    if (keyless) {
      record.key(varint(-1, 1), new byte[0]);
    }
    if (random.nextInt(5) == 0) {
      record.header(new byte[random.nextInt(9)], new byte[] {1, 2}).headerCount(varint(1, 1));
    }
    return random.nextInt(40) == 0 ? record.lengthError(random.nextInt(9) - 4) : record;
  }

  private void fill(byte[] value) {
    switch (random.nextInt(3)) {
      case 0 -> random.nextBytes(value);
      case 1 -> Arrays.fill(value, (byte) random.nextInt());
      default -> {
        for (int i = 0; i < value.length; i++) {
          value[i] = (byte) ('a' + random.nextInt(6));
        }
      }
    }
  }

  private byte[] damage(byte[] bytes) {
    if (bytes.length == 0) {
      return bytes;
    }
    int at = place(bytes.length);
    byte[] changed = bytes.clone();
    switch (random.nextInt(8)) {
      case 0, 1 -> changed[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 2, 3 -> changed[at] = (byte) random.nextInt();
      case 4 -> changed = Arrays.copyOf(bytes, at);
      case 5 -> changed = replace(bytes, at, random.nextInt(8), new byte[0]);
      case 6 -> {
        byte[] more = new byte[1 + random.nextInt(6)];
        random.nextBytes(more);
        changed = replace(bytes, at, random.nextInt(2) * more.length, more);
      }
      default ->
          changed = replace(bytes, bytes.length, 0, Arrays.copyOfRange(bytes, at, bytes.length));
    }
    return changed;
  }

  /** Anywhere, or near one of the ends. */
  private int place(int length) {
    int near = Math.min(length, 40);
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(near);
      case 1 -> length - 1 - random.nextInt(near);
      default -> random.nextInt(length);
    };
  }

  private static byte[] replace(byte[] bytes, int at, int drop, byte[] by) {
    int behind = Math.min(bytes.length, at + drop);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    out.writeBytes(by);
    out.write(bytes, behind, bytes.length - behind);
    return out.toByteArray();
  }
}
