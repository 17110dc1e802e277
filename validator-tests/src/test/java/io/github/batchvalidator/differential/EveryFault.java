// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/** The golden batch of a codec and all that one fault makes of it, as stored and as read. */
final class EveryFault {
  private static final int RECORDS = 5;
  private static final long LAST_RECORD_MS = 28;
  private static final int RANDOM_BATCHES = 3_000;
  private static final long SEED = 20_261_121L;

  private EveryFault() {}

  /** Hands over every batch, the golden one first. */
  static void of(Codec codec, Consumer<byte[]> to) {
    byte[] golden = MutationSweepTest.golden(codec);
    to.accept(golden);
    bits(golden, to);
    lengths(golden, to);
    plainBits(codec, to);
    recordDamage(codec, to);
    randomDamage(codec, to);
  }

  /** Every bit, with the checksum as it was and with one that fits. */
  private static void bits(byte[] golden, Consumer<byte[]> to) {
    for (int bit = 0; bit < golden.length * Byte.SIZE; bit++) {
      byte[] damaged = flip(golden, bit);
      to.accept(damaged.clone());
      to.accept(Batches.fixCrc(ByteBuffer.wrap(damaged)).array());
    }
  }

  /** Every length, as it is and with a length field and checksum that fit. */
  private static void lengths(byte[] golden, Consumer<byte[]> to) {
    for (int length = 0; length < golden.length; length++) {
      byte[] cut = Arrays.copyOf(golden, length);
      to.accept(cut.clone());
      if (length >= BatchLayout.ATTRIBUTES_OFFSET) {
        ByteBuffer whole = ByteBuffer.wrap(cut);
        whole.putInt(BatchLayout.LENGTH_OFFSET, length - BatchLayout.LOG_OVERHEAD);
        to.accept(Batches.fixCrc(whole).array());
      }
    }
  }

  /** Every bit of the plain records, compressed behind the damage. */
  private static void plainBits(Codec codec, Consumer<byte[]> to) {
    byte[] golden = MutationSweepTest.golden(Codec.NONE);
    byte[] plain = Arrays.copyOfRange(golden, BatchLayout.HEADER_BYTES, golden.length);
    for (int bit = 0; bit < plain.length * Byte.SIZE; bit++) {
      ByteBuffer batch = Batches.ofPlain(codec, RECORDS, flip(plain, bit));
      batch.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, Batches.nowMs() + LAST_RECORD_MS);
      to.accept(Batches.fixCrc(batch).array());
    }
  }

  private static void recordDamage(Codec codec, Consumer<byte[]> to) {
    for (Damage damage : Damage.values()) {
      for (int at = 0; at < 3; at++) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
          RecordBytes record = new RecordBytes().offsetDelta(RecordBytes.varint(i, 1));
          plain.writeBytes((i == at ? damage.apply(record, i) : record).toBytes());
        }
        to.accept(Batches.ofPlain(codec, 3, plain.toByteArray()).array());
      }
    }
  }

  private static void randomDamage(Codec codec, Consumer<byte[]> to) {
    RandomBatches batches = new RandomBatches(SEED);
    for (int i = 0; i < RANDOM_BATCHES && codec != Codec.NONE; i++) {
      to.accept(batches.next(codec, i % 100 == 0 ? 100_000 : 3_000));
    }
  }

  private static byte[] flip(byte[] bytes, int bit) {
    byte[] damaged = bytes.clone();
    damaged[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
    return damaged;
  }
}
