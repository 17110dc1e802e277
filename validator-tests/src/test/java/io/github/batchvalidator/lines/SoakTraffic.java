// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;

/**
 * The appends of many producers: a fixed stock of honest, strange and hostile ones, most of them
 * damaged in a new way each time. The stock is made once, so its memory does not grow. Thread-safe.
 */
public final class SoakTraffic implements AutoCloseable {
  private static final int DRAFTS = 150;
  private static final int VARIANTS = 12;
  private static final int LARGEST_BYTES = 1 << 16;
  private static final int GENERATOR_SIZE = 1000;

  /** One call in so many is hostile: some of them cost as much as ten thousand others. */
  private static final int HOSTILE = 4096;

  private static final byte GUARD = 0x5A;
  private static final int LENGTH_AND_CRC_END = 21;

  private final List<Append> stock = new ArrayList<>();
  private final List<Append> hostile = HostileAppends.all();
  private final LineSide dropIn;

  /** Makes the stock from a seed, and loads the drop-in for Kafka 4.3 as a broker does. */
  public SoakTraffic(long seed) throws ReflectiveOperationException {
    dropIn = new LineSide(KafkaLine.V4_3, true);
    JqwikSession.run(() -> fill(new Random(seed)));
  }

  private void fill(Random random) {
    RandomGenerator<Draft> drafts = Appends.drafts().generator(GENERATOR_SIZE, true);
    for (int i = 0; i < DRAFTS; i++) {
      Variants variants = new Variants(drafts.next(random).value());
      add(variants.honest());
      for (int k = 1; k < VARIANTS; k++) {
        add(variants.next());
      }
    }
  }

  private void add(Append append) {
    if (append.bytes().length <= LARGEST_BYTES) {
      stock.add(append);
    }
  }

  /** Returns the bytes of some append. */
  public ByteBuffer next(Random random) {
    Append append = any(random);
    return append.placement().holding(append.bytes(), GUARD);
  }

  /** Gives some append to the drop-in; false if it refuses. */
  public boolean append(Random random) {
    Append append = any(random);
    Answer answer = dropIn.ask(append);
    if (answer.crashed()) {
      throw new AssertionError(answer + " " + append.toLine());
    }
    return answer.accepted();
  }

  private Append any(Random random) {
    if (random.nextInt(HOSTILE) == 0) {
      return hostile.get(random.nextInt(hostile.size()));
    }
    Append append = stock.get(random.nextInt(stock.size()));
    if (random.nextInt(3) == 0) {
      return append;
    }
    byte[] damaged = new ByteChanges(random).few(append.bytes());
    if (damaged.length > LENGTH_AND_CRC_END && random.nextInt(4) > 0) {
      Batches.fixCrc(ByteBuffer.wrap(damaged));
    }
    BufferKind[] kinds = BufferKind.values();
    return new Append(damaged, kinds[random.nextInt(kinds.length)], append.settings());
  }

  @Override
  public void close() {
    dropIn.close();
  }
}
