// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** No order of calls damages a batch, and each works or throws what its documentation names. */
class RandomCallsTest {
  @Property(tries = 300)
  void callsInAnyOrder(@ForAll long seed) {
    try (RandomCalls calls = new RandomCalls(seed, List.of())) {
      calls.make(60);
    }
  }

  /** Two hosts inspect the same buffers at the same time, and then go on in the other thread. */
  @Property(tries = 60)
  void twoThreads(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<ByteBuffer> shared = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      shared.add(RandomCalls.batch(random));
    }
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (RandomCalls one = new RandomCalls(seed + 1, shared);
        RandomCalls other = new RandomCalls(seed + 2, shared)) {
      for (int i = 0; i < 4; i++) {
        RandomCalls first = i % 2 == 0 ? one : other;
        RandomCalls second = i % 2 == 0 ? other : one;
        Future<Integer> beside = threads.submit(() -> first.make(30));
        Future<Integer> here = threads.submit(() -> second.make(30));
        beside.get();
        here.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** The calls above would prove nothing if hardly any of them reached a stamp. */
  @Property(tries = 1)
  void manyBatchesAreStamped() {
    int stamped = 0;
    for (int i = 0; i < 50; i++) {
      try (RandomCalls calls = new RandomCalls(i, List.of())) {
        stamped += calls.make(60);
      }
    }
    assertTrue(stamped > 50, "stamped: " + stamped);
  }
}
