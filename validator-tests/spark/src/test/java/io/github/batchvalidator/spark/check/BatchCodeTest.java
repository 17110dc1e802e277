// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.report.StoredBatch.Control;
import io.github.batchvalidator.rule.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Headers of batches that pass through the code stay the same, whatever they say. */
class BatchCodeTest {
  private static final List<Codec> CODECS = List.of(Codec.values());
  private static final int BATCHES = 500;
  private static final int MOST_BYTES = 18;

  /** Returns a number of any size and sign, or -1, which stands for no number. */
  private static long any(Random random) {
    return random.nextInt(4) == 0 ? StoredBatch.NONE : random.nextLong() >> random.nextInt(64);
  }

  private static StoredBatch anyBatch(Random random) {
    return new StoredBatch(
        any(random),
        (int) any(random),
        (byte) random.nextInt(3),
        CODECS.get(random.nextInt(CODECS.size())),
        any(random),
        any(random),
        (int) any(random),
        any(random),
        any(random),
        (int) any(random),
        any(random),
        (short) any(random),
        (int) any(random),
        random.nextBoolean(),
        random.nextBoolean() ? null : new Control((int) any(random), (int) any(random)));
  }

  @Test
  void keepsAllNumbers() {
    Random random = new Random(38);
    List<StoredBatch> batches = new ArrayList<>();
    for (int i = 0; i < BATCHES; i++) {
      batches.add(anyBatch(random));
    }
    assertEquals(batches, BatchCode.decode(BatchCode.encode(batches)));
    assertEquals(List.of(), BatchCode.decode(BatchCode.encode(List.of())));
  }

  /** The documented size, for 50 producers that take turns. */
  @Test
  void takesFewBytes() {
    Random random = new Random(38);
    List<StoredBatch> batches = new ArrayList<>();
    int[] sequences = new int[50];
    long position = 0;
    long offset = 1_000_000_000;
    long timestamp = 1_700_000_000_000L;
    for (int i = 0; i < BATCHES; i++) {
      int bytes = 16_000 + random.nextInt(1600);
      int records = bytes / 100;
      int producer = random.nextInt(sequences.length);
      long first = timestamp + random.nextInt(20);
      timestamp = first + random.nextInt(30);
      batches.add(
          new StoredBatch(
              position,
              bytes,
              (byte) 2,
              Codec.LZ4,
              offset,
              offset + records - 1,
              records,
              first,
              timestamp,
              7,
              4_000_000 + producer * 1000,
              (short) 0,
              sequences[producer],
              false,
              null));
      sequences[producer] += records;
      position += bytes;
      offset += records;
    }
    int encoded = BatchCode.encode(batches).length;
    assertTrue(encoded <= MOST_BYTES * BATCHES, () -> encoded + " bytes");
  }
}
