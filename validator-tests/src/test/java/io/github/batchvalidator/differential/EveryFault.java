// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/** The golden batch of a codec, and all batches that one fault in it makes. */
final class EveryFault {
  private static final int RECORDS = 5;
  private static final long LAST_RECORD_MS = 28;
  private static final int RANDOM_BATCHES = 3_000;
  private static final long SEED = 20_261_121L;

  private EveryFault() {}

  /** Hands over every batch, the golden one first. */
  static void of(Codec codec, Consumer<byte[]> to) {
    byte[] golden = MutationSweepIT.golden(codec);
    to.accept(golden);
    Faults.everyBit(golden, to);
    Faults.everyLength(golden, to);
    plainBits(codec, to);
    recordDamage(codec, to);
    randomDamage(codec, to);
  }

  /** Flips each bit of the plain records, then compresses them. */
  static void plainBits(Codec codec, Consumer<byte[]> to) {
    byte[] golden = MutationSweepIT.golden(Codec.NONE);
    byte[] plain = Arrays.copyOfRange(golden, BatchLayout.HEADER_BYTES, golden.length);
    for (int bit = 0; bit < plain.length * Byte.SIZE; bit++) {
      ByteBuffer batch = Batches.ofPlain(codec, RECORDS, Faults.flipped(plain, bit));
      batch.putLong(BatchLayout.MAX_TIMESTAMP_OFFSET, Batches.nowMs() + LAST_RECORD_MS);
      to.accept(Batches.fixCrc(batch).array());
    }
  }

  private static void recordDamage(Codec codec, Consumer<byte[]> to) {
    for (Damage damage : Damage.values()) {
      for (int at = 0; at < 3; at++) {
        to.accept(damage.batch(codec, at));
      }
    }
  }

  /** Hands over batches with random damage; none without a codec. */
  static void randomDamage(Codec codec, Consumer<byte[]> to) {
    RandomBatches batches = new RandomBatches(SEED);
    for (int i = 0; i < RANDOM_BATCHES && codec != Codec.NONE; i++) {
      to.accept(batches.next(codec, i % 100 == 0 ? 100_000 : 3_000));
    }
  }
}
