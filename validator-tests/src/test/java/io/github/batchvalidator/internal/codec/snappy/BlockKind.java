// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.snappy;

import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Kinds of Snappy blocks. Most contain Kafka records, and the others only test the tags. */
enum BlockKind {
  JSON,
  LOG_LINES,
  KEYS_AND_HEADERS,
  SMALL_RECORDS,
  /** Values with a period of 1 to 7 bytes, so that copies overlap themselves. */
  RUNS,
  LONG_LITERALS,
  /** Some copies have offsets of four bytes. */
  FAR_COPIES(false),
  ANY_TAGS(false),
  /** Guessed lanes never fall in with the confirmed lane. */
  UNSYNCHRONIZED(false);

  private static final String WORDS =
      "connection from host closed after timeout; retry scheduled on broker partition leader epoch"
          + " ";

  private final boolean hasRecords;

  BlockKind() {
    this(true);
  }

  BlockKind(boolean hasRecords) {
    this.hasRecords = hasRecords;
  }

  boolean hasRecords() {
    return hasRecords;
  }

  /** Returns records of this kind with at least so many bytes. */
  List<byte[]> records(SplittableRandom random, int bytes) {
    List<byte[]> records = new ArrayList<>();
    for (int left = bytes; left > 0; left -= records.get(records.size() - 1).length) {
      records.add(record(random, records.size()));
    }
    return records;
  }

  private byte[] record(SplittableRandom random, int index) {
    RecordBytes record = new RecordBytes().offsetDelta(RecordBytes.varint(index, 1));
    record.timestampDelta(RecordBytes.varint(random.nextInt(-5, 2000), 1));
    byte[] key = Bytes.cut(text(random, 40), random.nextInt(this == KEYS_AND_HEADERS ? 40 : 2));
    record.key(RecordBytes.varint(key.length, 1), key);
    byte[] value = value(random);
    record.value(RecordBytes.varint(value.length, 1), value);
    if (this == KEYS_AND_HEADERS) {
      int headers = random.nextInt(4);
      record.headerCount(RecordBytes.varint(headers, 1));
      for (int i = 0; i < headers; i++) {
        record.header(Bytes.cut(text(random, 20), 5 + i), text(random, random.nextInt(1, 60)));
      }
    }
    return record.toBytes();
  }

  private byte[] value(SplittableRandom random) {
    return switch (this) {
      case SMALL_RECORDS -> SnappyBlocks.text(random, random.nextInt(60, 110));
      case LOG_LINES -> text(random, random.nextInt(500, 1500));
      case RUNS -> runs(random, random.nextInt(100, 1500));
      case LONG_LITERALS -> literal(random, random.nextInt(100, 3000));
      default -> SnappyBlocks.text(random, random.nextInt(300, 1200));
    };
  }

  private static byte[] text(SplittableRandom random, int bytes) {
    byte[] text = new byte[bytes];
    int at = random.nextInt(WORDS.length());
    for (int i = 0; i < bytes; i++) {
      if (random.nextInt(12) == 0) {
        at = random.nextInt(WORDS.length());
      }
      text[i] = (byte) WORDS.charAt(at++ % WORDS.length());
    }
    return text;
  }

  private static byte[] runs(SplittableRandom random, int bytes) {
    byte[] runs = new byte[bytes];
    int period = 1;
    for (int i = 0; i < bytes; i++) {
      if (random.nextInt(60) == 0) {
        period = 1 + random.nextInt(7);
      }
      runs[i] =
          i < period || random.nextInt(60) == 0 ? (byte) random.nextInt(256) : runs[i - period];
    }
    return runs;
  }

  private static byte[] literal(SplittableRandom random, int bytes) {
    byte[] literal = new byte[bytes];
    random.nextBytes(literal);
    return literal;
  }

  /** Returns a block with about so many plain bytes. Only for kinds without records. */
  byte[] block(SplittableRandom random, int bytes) {
    return switch (this) {
      case FAR_COPIES -> farCopies(random, bytes);
      case ANY_TAGS -> new SnappyBlocks.Tags().some(random, bytes).toBlock();
      case UNSYNCHRONIZED ->
          HostileBlocks.block(random, random.nextInt(HostileBlocks.KINDS), bytes);
      default -> throw new IllegalStateException("records of " + this);
    };
  }

  private static byte[] farCopies(SplittableRandom random, int bytes) {
    SnappyBlocks.Tags tags = new SnappyBlocks.Tags().literal(literal(random, 20));
    boolean often = random.nextBoolean();
    while (tags.plainBytes() < bytes) {
      int offset = 1 + random.nextInt(tags.plainBytes());
      int length = 1 + random.nextInt(64);
      if (random.nextInt(often ? 2 : 40) == 0) {
        tags.farCopy(length, offset);
      } else if (random.nextBoolean()) {
        tags.longCopy(length, offset);
      } else {
        tags.literal(literal(random, length));
      }
    }
    return tags.toBlock();
  }
}
