// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Messages of magic 0 and 1 made from the same records: plain ones, or one wrapper. */
final class LegacyVariants {
  private static final int FEW = 8;
  private static final int LOG_APPEND_TIME = 0x08;
  private static final int[] SIZES = {0, 1, -1, -2, 13, 14, 15, 500, 50_000_000, Integer.MAX_VALUE};

  private final List<SimpleRecord> records;
  private final Random random;
  private final ByteChanges changes;

  LegacyVariants(List<SimpleRecord> records, Random random) {
    this.records = records;
    this.random = random;
    changes = new ByteChanges(random);
  }

  byte[] honest(Codec codec, int magic) {
    return codec == Codec.NONE
        ? LegacyBytes.join(entries(magic, false))
        : wrapper(codec, magic, LegacyBytes.join(entries(magic, false)));
  }

  private List<byte[]> entries(int magic, boolean damaged) {
    int odd = damaged && !records.isEmpty() ? random.nextInt(records.size()) : -1;
    int offsets = damaged ? random.nextInt(6) : 0;
    List<byte[]> entries = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      long offset =
          switch (offsets) {
            case 0, 1, 2 -> i;
            case 3 -> 0;
            case 4 -> i + 40L;
            default -> i >= odd ? i + 1 : i;
          };
      byte[] message = message(magic, i);
      entries.add(i == odd ? damage(offset, magic, message) : LegacyBytes.entry(offset, message));
    }
    return entries;
  }

  private byte[] message(int magic, int index) {
    SimpleRecord record = records.get(index);
    return LegacyBytes.message(
        magic, 0, record.timestamp(), bytesOf(record.key()), bytesOf(record.value()));
  }

  private static byte @Nullable [] bytesOf(@Nullable ByteBuffer buffer) {
    return buffer == null ? null : Utils.toArray(buffer);
  }

  /** One message with a lie in it; its CRC fits, mostly. */
  private byte[] damage(long offset, int magic, byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message);
    int size = message.length;
    switch (random.nextInt(9)) {
      case 0 -> size = SIZES[random.nextInt(SIZES.length)];
      case 1 -> size += random.nextInt(5) - 2;
      case 2 -> bytes.putInt(LegacyBytes.keyAt(magic), SIZES[random.nextInt(SIZES.length)]);
      case 3 -> bytes.put(LegacyBytes.MAGIC_AT, (byte) (random.nextInt(5) - 1));
      case 4 -> bytes.put(LegacyBytes.ATTRIBUTES_AT, (byte) random.nextInt(256));
      case 5 -> bytes.put(LegacyBytes.ATTRIBUTES_AT, (byte) LOG_APPEND_TIME);
      case 6 -> bytes.put(random.nextInt(size), (byte) random.nextInt());
      case 7 -> bytes = ByteBuffer.wrap(changes.few(message));
      default -> bytes = ByteBuffer.wrap(Arrays.copyOf(message, random.nextInt(30)));
    }
    if (random.nextInt(FEW) != 0) {
      LegacyBytes.fixCrc(bytes.array());
    }
    if (size == message.length) {
      size = bytes.array().length;
    }
    return LegacyBytes.entry(offset, size, bytes.array());
  }

  private byte[] wrapper(Codec codec, int magic, byte[] entries) {
    return wrapper(
        codec, magic, records.size() - 1L, LegacyMessage.compress(magic, codec, entries));
  }

  private byte[] wrapper(Codec codec, int magic, long offset, byte[] stream) {
    long max = records.stream().mapToLong(SimpleRecord::timestamp).reduce(-1, Math::max);
    int attributes = codec.id() | (random.nextInt(FEW) == 0 ? LOG_APPEND_TIME : 0);
    long timestamp = random.nextInt(4) == 0 ? Batches.nowMs() : max;
    return LegacyBytes.wrapper(offset, magic, attributes, timestamp, stream);
  }

  byte[] next(Codec codec, int magic) {
    return codec == Codec.NONE ? plain(magic) : compressed(codec, magic);
  }

  private byte[] plain(int magic) {
    return switch (random.nextInt(6)) {
      case 0, 1 -> LegacyBytes.join(entries(magic, false));
      case 2, 3 -> LegacyBytes.join(entries(magic, true));
      case 4 -> changes.few(LegacyBytes.join(entries(magic, false)));
      default -> mixed(magic);
    };
  }

  /** Returns a sequence of messages of two magics. */
  private byte[] mixed(int magic) {
    List<byte[]> all = entries(magic, false);
    int other = random.nextInt(3);
    all.add(
        other == 2
            ? new ModernVariants(records.subList(0, Math.min(1, records.size())), random)
                .honest(Codec.NONE)
            : LegacyBytes.entry(0, LegacyBytes.message(other, 0, Batches.nowMs(), null, null)));
    return LegacyBytes.join(all);
  }

  private byte[] compressed(Codec codec, int magic) {
    byte[] honest = LegacyBytes.join(entries(magic, false));
    return switch (random.nextInt(7)) {
      case 0 -> wrapper(codec, magic, honest);
      case 1 -> wrapper(codec, magic, offset(), LegacyMessage.compress(magic, codec, honest));
      case 2, 3 ->
          wrapper(
              codec,
              magic,
              offset(),
              LegacyMessage.compress(magic, codec, LegacyBytes.join(entries(magic, true))));
      case 4 ->
          wrapper(
              codec, magic, offset(), LegacyMessage.compress(magic, codec, changes.few(honest)));
      case 5 ->
          wrapper(
              codec, magic, offset(), changes.few(LegacyMessage.compress(magic, codec, honest)));
      default -> crc(changes.few(wrapper(codec, magic, honest)));
    };
  }

  private long offset() {
    return switch (random.nextInt(5)) {
      case 0 -> 0;
      case 1 -> 50;
      case 2 -> random.nextInt(5) - 2L;
      default -> records.size() - 1L;
    };
  }

  private byte[] crc(byte[] entry) {
    if (entry.length > LegacyBytes.CRC_OF_ENTRY + Integer.BYTES && random.nextBoolean()) {
      byte[] message = Arrays.copyOfRange(entry, LegacyBytes.CRC_OF_ENTRY, entry.length);
      LegacyBytes.fixCrc(message);
      System.arraycopy(message, 0, entry, LegacyBytes.CRC_OF_ENTRY, message.length);
    }
    return ByteChanges.lengthen(entry);
  }
}
