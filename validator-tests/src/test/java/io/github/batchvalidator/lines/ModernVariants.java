// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.differential.Damage;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Batches of magic 2 made from the same records. */
final class ModernVariants {
  private static final int FEW = 8;
  private static final long[] VALUES = {
    0, 1, -1, -2, 2, 3, 100, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private static final List<Damage> ANY_DAMAGE = List.of(Damage.values());

  private final List<SimpleRecord> records;
  private final Random random;
  private final ByteChanges changes;
  private final byte[] plain;
  private final byte[][] compressed = new byte[Codec.values().length][];

  ModernVariants(List<SimpleRecord> records, Random random) {
    this.records = records;
    this.random = random;
    changes = new ByteChanges(random);
    plain = Batches.plainRecords(records.toArray(SimpleRecord[]::new));
  }

  byte[] honest(Codec codec) {
    return header(codec, records.size(), payload(codec)).array();
  }

  private byte[] payload(Codec codec) {
    byte[] bytes = compressed[codec.id()];
    if (bytes == null) {
      bytes = Batches.compress(codec, plain);
      compressed[codec.id()] = bytes;
    }
    return bytes;
  }

  /** A batch with the right maximum timestamp, mostly. */
  private ByteBuffer header(Codec codec, int count, byte[] payload) {
    ByteBuffer batch = Batches.ofPayload(codec, count, payload);
    if (random.nextInt(FEW) != 0) {
      long max = records.stream().mapToLong(SimpleRecord::timestamp).reduce(-1, Math::max);
      HeaderField.MAX_TIMESTAMP.set(batch, max);
    }
    return Batches.fixCrc(batch);
  }

  byte[] next(Codec codec) {
    int count = records.size();
    return switch (random.nextInt(10)) {
      case 0 -> crc(header(codec, count, payload(codec)));
      case 1, 2 -> crc(fields(header(codec, count, payload(codec))));
      case 3, 4 -> crc(flags(header(codec, count, payload(codec))));
      case 5, 6 -> crc(flags(header(codec, count, Batches.compress(codec, damaged()))));
      case 7 -> crc(header(codec, count, Batches.compress(codec, changes.few(plain))));
      case 8 -> crc(header(codec, count, changes.few(payload(codec))));
      default -> crc(fields(header(codec, count, Batches.compress(codec, offsets()))));
    };
  }

  private byte[] crc(ByteBuffer batch) {
    if (random.nextInt(FEW) != 0) {
      Batches.fixCrc(batch);
    }
    return Batches.copy(batch).array();
  }

  /** Overwrites one or two fields of the header. */
  private ByteBuffer fields(ByteBuffer batch) {
    HeaderField[] all = HeaderField.values();
    for (int changed = 1 + random.nextInt(2); changed > 0; changed--) {
      HeaderField field = all[random.nextInt(all.length)];
      long value =
          switch (random.nextInt(4)) {
            case 0 -> field.get(batch) + random.nextInt(5) - 2;
            case 1 -> random.nextInt(256);
            case 2 -> VALUES[random.nextInt(VALUES.length)];
            default -> field.get(batch) ^ (1L << random.nextInt(16));
          };
      field.set(batch, value);
    }
    return batch;
  }

  /** Sets attributes and producer state to what is likely to be allowed, or nearly. */
  private ByteBuffer flags(ByteBuffer batch) {
    int attributes = (int) HeaderField.ATTRIBUTES.get(batch);
    if (random.nextInt(4) == 0) {
      attributes |= BatchLayout.TIMESTAMP_TYPE_MASK;
    }
    if (random.nextInt(4) == 0) {
      attributes |= BatchLayout.CONTROL_MASK;
    }
    if (random.nextInt(8) == 0) {
      attributes |= BatchLayout.DELETE_HORIZON_MASK;
    }
    if (random.nextBoolean()) {
      HeaderField.PRODUCER_ID.set(batch, random.nextInt(12) - 2L);
      HeaderField.PRODUCER_EPOCH.set(batch, random.nextInt(6) - 1L);
      HeaderField.BASE_SEQUENCE.set(
          batch, random.nextInt(6) == 0 ? Integer.MAX_VALUE - 1L : random.nextInt(9) - 1L);
      attributes |= random.nextInt(3) == 0 ? BatchLayout.TRANSACTIONAL_MASK : 0;
    }
    HeaderField.ATTRIBUTES.set(batch, attributes);
    return batch;
  }

  /** Plain records of which one or two are damaged. */
  private byte[] damaged() {
    int first = records.isEmpty() ? 0 : random.nextInt(records.size());
    int second = random.nextInt(3) == 0 ? first + 1 : first;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < records.size(); i++) {
      Damage damage = i == first || i == second ? any() : Damage.NONE;
      out.writeBytes(damage.apply(honestRecord(i, i), i).toBytes());
    }
    return out.toByteArray();
  }

  private Damage any() {
    return ANY_DAMAGE.get(random.nextInt(ANY_DAMAGE.size()));
  }

  /** Plain records whose offset deltas are other ones than 0, 1, 2, ... */
  private byte[] offsets() {
    int step = random.nextInt(4);
    int start = random.nextInt(3) - 1;
    int odd = random.nextInt(records.size() + 1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < records.size(); i++) {
      int delta =
          switch (step) {
            case 0 -> 0;
            case 1 -> i + start;
            case 2 -> i >= odd ? i + 1 : i;
            default -> records.size() - 1 - i;
          };
      out.writeBytes(honestRecord(i, delta).toBytes());
    }
    return out.toByteArray();
  }

  private RecordBytes honestRecord(int index, int offsetDelta) {
    SimpleRecord record = records.get(index);
    RecordBytes bytes =
        new RecordBytes()
            .offsetDelta(varint(offsetDelta, 1))
            .timestampDelta(varint(record.timestamp() - Batches.nowMs(), 1));
    byte[] key = bytesOf(record.key());
    bytes.key(varint(record.key() == null ? -1 : key.length, 1), key);
    byte[] value = bytesOf(record.value());
    bytes.value(varint(record.value() == null ? -1 : value.length, 1), value);
    bytes.headerCount(varint(record.headers().length, 1));
    for (Header header : record.headers()) {
      byte[] name = Utils.utf8(header.key());
      bytes.headerPart(varint(name.length, 1), name);
      byte[] content = header.value() == null ? new byte[0] : header.value();
      bytes.headerPart(varint(header.value() == null ? -1 : content.length, 1), content);
    }
    return bytes;
  }

  private static byte[] bytesOf(@Nullable ByteBuffer buffer) {
    return buffer == null ? new byte[0] : Arrays.copyOf(Utils.toArray(buffer), buffer.remaining());
  }
}
